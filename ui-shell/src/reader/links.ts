import { targetOf } from '../browser/scroll.ts';
import { valueOf } from './parts.ts';

/** The places that a cross-reference leads to: all of a range, which the host names, else the one of its address. */
export function targetsOf(link: HTMLAnchorElement): HTMLElement[] {
  const rids = valueOf(link, 'rids').split(' ').filter(Boolean);
  const found = rids.flatMap((id) => targetOf(`#${id}`) ?? []);
  const first = targetOf(link.getAttribute('href') ?? '');
  return found.length ? [...new Set(found)] : first ? [first] : [];
}

/** The labels of references as citations write them: `[1]`, `2.`, `3` and `7` are 1–3, 7. Empty if one has no label. */
export function rangesOf(labels: readonly string[]): string {
  const plain = labels.map((label) => label.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  if (plain.some((label) => !label)) return '';
  const parts: string[][] = [];
  for (const label of plain) {
    const last = parts.at(-1)?.at(-1);
    if (last !== undefined && /^\d+$/.test(label) && Number(label) === Number(last) + 1) parts.at(-1)?.push(label);
    else parts.push([label]);
  }
  return parts.map((part) => (part.length > 2 ? `${part[0]}–${part.at(-1)}` : part.join(', '))).join(', ');
}
