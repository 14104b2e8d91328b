import type { Api, components } from '@masthead/ui-sdk';

type ColumnNode = components['schemas']['ColumnNode'];

/** A column that can be subscribed to. */
export interface Column {
  id: string;
  name: string;
}

const flat = (nodes: ColumnNode[]): Column[] => nodes.flatMap(({ key, column, name, children }) => [{ id: key || column, name }, ...flat(children)]);

/** The columns of the site, each below the one above it. */
export const columnsOf = async (api: Api, signal: AbortSignal): Promise<Column[]> =>
  flat(await api.get<ColumnNode[]>('/rc-pub/front/front-article/getColumnTree', {}, signal));
