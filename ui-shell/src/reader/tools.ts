import { useT } from '@masthead/ui-sdk';
import { useCallback, useLayoutEffect, useState } from 'react';

/** Puts a new element beside another one of the document. */
export type Place = (target: HTMLElement, host: HTMLElement) => void;

/** Elements for React to render into: one for each of `targets`, inserted by `place` (a constant) and removed on unmount. */
export function useInserted(targets: readonly HTMLElement[], className: string, place: Place): Map<HTMLElement, HTMLElement> {
  const [hosts, setHosts] = useState(new Map<HTMLElement, HTMLElement>());
  useLayoutEffect(() => {
    const made = new Map<HTMLElement, HTMLElement>();
    for (const target of targets) {
      const host = document.createElement('div');
      host.className = className;
      place(target, host);
      made.set(target, host);
    }
    setHosts(made);
    return () => {
      for (const host of made.values()) host.remove();
    };
  }, [targets, className, place]);
  return hosts;
}

/** Copies text to the clipboard. `said` is the result as a message for 1.8 s, to replace the button's label; empty otherwise. */
export function useCopy(): { said: string; copy(text: string): void } {
  const t = useT();
  const [said, setSaid] = useState('');
  const copy = useCallback(
    (text: string) => {
      const tell = (key: string) => {
        setSaid(t(key));
        setTimeout(() => setSaid(''), 1800);
      };
      if (!navigator.clipboard) return tell('copy_failed');
      navigator.clipboard.writeText(text).then(
        () => tell('copied'),
        () => tell('copy_failed'),
      );
    },
    [t],
  );
  return { said, copy };
}

export function saveFile(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A copy of an element without ids and without the buttons that the script added. */
export function cloneContent(element: Element): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement;
  copy.removeAttribute('id');
  for (const part of copy.querySelectorAll('[id]')) part.removeAttribute('id');
  for (const part of copy.querySelectorAll('.fig-tools, .table-tools, .formula-tools')) part.remove();
  for (const part of copy.querySelectorAll('[data-opens]')) part.removeAttribute('data-opens');
  return copy;
}

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table as CSV; cells covered by a span are empty. */
export function toCsv(table: HTMLTableElement): string {
  const grid: string[][] = [];
  [...table.rows].forEach((row, y) => {
    const line = (grid[y] ??= []);
    let x = 0;
    for (const part of row.cells) {
      while (line[x] !== undefined) x += 1;
      const text = (part.textContent ?? '').replace(/\s+/g, ' ').trim();
      for (let dy = 0; dy < part.rowSpan; dy += 1) {
        for (let dx = 0; dx < part.colSpan; dx += 1) {
          const target = (grid[y + dy] ??= []);
          target[x + dx] = dy || dx ? '' : text;
        }
      }
      x += part.colSpan;
    }
  });
  return grid
    .slice(0, table.rows.length)
    .map((line) => Array.from(line, (text) => cell(text ?? '')).join(','))
    .join('\r\n');
}
