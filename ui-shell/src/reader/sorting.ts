import { selectorOf } from './parts.ts';
import { announce, cloneContent, textOf } from './tools.ts';

type T = (key: string, values?: Record<string, string>) => string;

/**
 * The header cell of each column, if readers can sort the table: its rows are all in one body and no cell of them spans rows or columns. The
 * header may have several levels; the lowest cell over a column is its header.
 */
export function headersOf(table: HTMLTableElement): HTMLTableCellElement[] | undefined {
  const [body, ...more] = table.tBodies;
  const width = body?.rows[0]?.cells.length ?? 0;
  if (!table.tHead || !body || more.length || body.rows.length < 2 || body.querySelector('[rowspan], [colspan]')) return undefined;
  if ([...body.rows].some((row) => row.cells.length !== width)) return undefined;
  const rows = [...table.tHead.rows];
  const grid: (HTMLTableCellElement | undefined)[][] = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of row.cells) {
      while (grid[y]?.[x]) x += 1;
      for (const line of grid.slice(y, y + (cell.rowSpan || rows.length))) for (let dx = 0; dx < cell.colSpan && x + dx <= width; dx += 1) line[x + dx] = cell;
      x += cell.colSpan;
    }
  });
  const lowest = Array.from(grid.at(-1) ?? []);
  const headers = lowest.filter((cell) => cell !== undefined);
  const each = headers.length === width && lowest.length === width && headers.every((cell) => cell.colSpan === 1);
  return each && new Set(headers).size === width ? headers : undefined;
}

/** Adds a button to each header of a table that can be sorted: ascending, descending, as in the source. Returns a function that undoes it. */
export function makeSortable(table: HTMLTableElement, t: T): () => void {
  const headers = headersOf(table);
  const body = table.tBodies[0];
  if (!headers || !body) return () => undefined;
  const source = [...body.rows];
  let shown: { x: number; way: 'ascending' | 'descending' } | undefined;
  const lang = table.closest<HTMLElement>('[lang]')?.lang ?? '';
  const names = headers.map((header, x) => {
    const copy = cloneContent(header);
    for (const mark of copy.querySelectorAll(`${selectorOf('xref')}, ${selectorOf('note')}`)) mark.remove();
    return textOf(copy) || String(x + 1);
  });

  const show = async (x: number) => {
    const way = shown?.x !== x ? 'ascending' : shown.way === 'ascending' ? 'descending' : undefined;
    let rows = source;
    if (way) {
      const { orderOf, textsOf } = await import('./tableFiles.ts');
      const texts = textsOf(
        table,
        source.map((row) => row.cells[x]),
      );
      rows = orderOf(texts, lang, way === 'descending').flatMap((at) => source[at] ?? []);
    }
    shown = way && { x, way };
    body.append(...rows);
    headers.forEach((header, at) => {
      if (at === x && way) header.setAttribute('aria-sort', way);
      else header.removeAttribute('aria-sort');
    });
    const column = names[x] ?? '';
    announce(way === 'ascending' ? t('sorted_up', { column }) : way ? t('sorted_down', { column }) : t('sorted_back'));
  };

  const buttons = headers.map((header, x) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'table-sort';
    button.setAttribute('aria-label', t('sort_by', { column: names[x] ?? '' }));
    button.addEventListener('click', () => void show(x).catch(() => announce(t('error_text'))));
    // The name of the button is not part of the header's name, which is said before every cell.
    header.setAttribute('aria-label', names[x] ?? '');
    header.append(button);
    return button;
  });
  return () => {
    for (const button of buttons) button.remove();
    for (const header of headers) {
      header.removeAttribute('aria-label');
      header.removeAttribute('aria-sort');
    }
    body.append(...source);
  };
}
