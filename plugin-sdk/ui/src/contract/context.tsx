import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { Bootstrap, Session, Site, SlotName } from './contract.ts';

export type Values = Record<string, string | number>;
export type Translate = (key: string, values?: Values) => string;

export interface NavigateOptions {
  replace?: boolean;
}

/** Calls of the host's API below the site's prefix. They resolve to `data` of the envelope and reject with `ApiError`. */
export interface Api {
  get<T>(path: string, query?: Record<string, string | number | undefined>, signal?: AbortSignal): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  delete<T>(path: string): Promise<T>;
}

export class ApiError extends Error {
  readonly status: number;
  /** `data` of the envelope. */
  readonly data: unknown;
  constructor(status: number, message: string, data?: unknown) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.data = data;
  }
}

/** The context that the shell provides to modules; the hooks below read it. */
export interface Shell {
  bootstrap: Bootstrap;
  /** Path and query of the page that is shown. */
  path: string;
  /** Whether another page is being loaded. */
  pending: boolean;
  api: Api;
  navigate(to: string, options?: NavigateOptions): void;
  translate(namespace: string, key: string, values?: Values): string;
  renderSlot(name: SlotName, props: Record<string, unknown>, fallback: ReactNode, waiting?: ReactNode): ReactNode;
}

const ShellContext = createContext<Shell | null>(null);
const NamespaceContext = createContext('shell');

export const ShellProvider = ShellContext.Provider;
export const NamespaceProvider = NamespaceContext.Provider;

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('This component needs the shell; in a test use renderModule() of @masthead/ui-sdk/testing.');
  return shell;
}

export const useBootstrap = (): Bootstrap => useShell().bootstrap;
export const useSite = (): Site => useShell().bootstrap.site;
export const useSession = (): Session => useShell().bootstrap.session;
export const useApi = (): Api => useShell().api;
export const useNavigate = (): Shell['navigate'] => useShell().navigate;

/** Translates keys of the calling module's messages into the page's language. */
export function useT(): Translate {
  const { translate } = useShell();
  const namespace = useContext(NamespaceContext);
  return useMemo(() => (key, values) => translate(namespace, key, values), [translate, namespace]);
}

/** A slot inside a module, such as `footer.rows` in a footer. Renders `children` if there is no module, `waiting` while one is loading. */
export function Slot({
  name,
  props = {},
  children = null,
  waiting = children,
}: {
  name: SlotName;
  props?: Record<string, unknown>;
  children?: ReactNode;
  waiting?: ReactNode;
}) {
  return useShell().renderSlot(name, props, children, waiting);
}
