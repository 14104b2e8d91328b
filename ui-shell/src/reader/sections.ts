import { selectorOf, valueOf } from './parts.ts';
import { cloneContent, squeezed } from './tools.ts';

/** Parts that are not sent to machine translation. */
const LEFT_OUT = [
  'figure',
  selectorOf('tableBox'),
  selectorOf('tableNotes'),
  selectorOf('formula'),
  '.translate, .mh-hidden, annotation, annotation-xml, button, script, style',
].join(', ');
const [ABSTRACT, BODY] = [selectorOf('section', 'abstract'), selectorOf('section', 'body')];
const BLOCK = /^(P|LI|DT|DD|DIV|UL|OL|DL|BLOCKQUOTE|PRE|ASIDE|SECTION|H[1-6])$/;
const HEADING = /^H[1-6]$/;

/** Headings that get a translation: of abstracts and of the body's sections, if they have text. */
export const headingsOf = (article: HTMLElement): HTMLElement[] =>
  [...article.querySelectorAll<HTMLElement>(`:is(${ABSTRACT}, ${BODY}) > h2, ${BODY} section > :is(h2, h3, h4, h5, h6)`)].filter(
    (heading) => paragraphsOf(heading).length,
  );

/** The paragraphs below a heading. Subsections with their own heading are left out, except in an abstract. */
export function paragraphsOf(heading: HTMLElement): string[] {
  const section = heading.parentElement;
  if (!section) return [];
  const copy = cloneContent(section);
  copy.querySelector(':scope > :is(h1, h2, h3, h4, h5, h6)')?.remove();
  for (const part of copy.querySelectorAll(LEFT_OUT)) part.remove();
  if (valueOf(section, 'section') !== 'abstract')
    for (const inner of copy.querySelectorAll('section')) if ([...inner.children].some((child) => HEADING.test(child.tagName))) inner.remove();
  const found = [''];
  const walk = (node: Node) => {
    for (const child of node.childNodes) {
      const block = child instanceof Element && BLOCK.test(child.tagName);
      if (block) found.push('');
      if (child instanceof Element) walk(child);
      else if (child.nodeType === Node.TEXT_NODE) found[found.length - 1] += child.textContent ?? '';
      if (block) found.push('');
    }
  };
  walk(copy);
  return found.map(squeezed).filter(Boolean);
}

/** Joins paragraphs, one a line, into texts of at most `limit` UTF-16 code units; a longer paragraph is split between sentences. */
export function textsOf(paragraphs: readonly string[], limit = 5000): string[] {
  const pieces = paragraphs.flatMap((text) => {
    if (text.length <= limit) return [text];
    const cut: string[] = [];
    for (const sentence of text.match(/.+?(?:[.!?](?=\s)|[。！？]|$)/gsu) ?? [text]) {
      for (let at = 0; at < sentence.length; at += limit) {
        const piece = sentence.slice(at, at + limit);
        const last = cut.at(-1);
        if (last !== undefined && last.length + piece.length <= limit) cut[cut.length - 1] = last + piece;
        else cut.push(piece);
      }
    }
    return cut.map((piece) => piece.trim());
  });
  const texts: string[] = [];
  for (const piece of pieces) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= limit) texts[texts.length - 1] = `${last}\n${piece}`;
    else texts.push(piece);
  }
  return texts;
}
