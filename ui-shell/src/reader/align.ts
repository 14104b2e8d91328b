import { all, around, first, isPart, selectorOf, valueOf } from './parts.ts';
import { ADDED, cloneContent } from './tools.ts';

/** A part of a section that may stand beside its translation; a figure or table keeps its place, and its caption follows in translation. */
type Kind = 'heading' | 'paragraph' | 'list' | 'definitions' | 'quotation' | 'section' | 'float';

interface Part {
  element: HTMLElement;
  kind: Kind;
}

/** A copy of a translated part, and the element of the original that it follows: its partner, or what the part before it follows. */
export interface Aligned {
  original: HTMLElement;
  copy: HTMLElement;
  /** Whether the original says the same, and not only what precedes it. */
  partner: boolean;
}

const KINDS: Record<string, Kind> = {
  H2: 'heading',
  H3: 'heading',
  H4: 'heading',
  H5: 'heading',
  H6: 'heading',
  P: 'paragraph',
  UL: 'list',
  OL: 'list',
  DL: 'definitions',
  BLOCKQUOTE: 'quotation',
  SECTION: 'section',
  FIGURE: 'float',
};

/** What the script has put into the article. */
const TOOLS = `.aligned, .translate, ${ADDED}`;

/** Whether the page shows an element of a translated article elsewhere, or it belongs to the translation alone. */
const isApart = (element: Element) =>
  element.tagName === 'H2' || isPart(element, 'own') || isPart(element.firstElementChild, 'footnote') || isPart(element.firstElementChild, 'keyword');

function partsOf(section: HTMLElement): Part[] {
  const whole = valueOf(section, 'section') === 'sub-article';
  return ([...section.children] as HTMLElement[]).flatMap((element) => {
    const kind = KINDS[element.tagName] ?? (isPart(element, 'paragraph') ? 'paragraph' : undefined);
    // The heading of a translated article is its title, which stands at the head of the page.
    const left = !kind || (whole && isApart(element)) || element.matches(TOOLS);
    return left ? [] : [{ element, kind }];
  });
}

const bare = (element: Element) => element.id.replace(/^a-/, '');

/** Whether a translated part has the id of the original one: the same, or with something before or behind it (`sec1`, `sec1-en`, `en.sec1`). */
function sameId(original: Element, translation: Element): boolean {
  const [one, other] = [bare(original), bare(translation)];
  if (!one || !other) return false;
  return (
    one === other || (other.startsWith(one) && /^[-_.]/.test(other.slice(one.length))) || (other.endsWith(one) && /[-_.]$/.test(other.slice(0, -one.length)))
  );
}

/** The original of each translated part: by their ids, and the rest, kind by kind, by their order. */
function partners(originals: readonly Part[], translations: readonly Part[]): Map<Part, Part> {
  const found = new Map<Part, Part>();
  const free = new Set(originals);
  const pair = (translation: Part, original: Part) => {
    found.set(translation, original);
    free.delete(original);
  };
  const named = translations.filter((part) => part.element.id);
  for (const translation of named) {
    for (const original of free) {
      if (original.kind !== translation.kind || !sameId(original.element, translation.element)) continue;
      pair(translation, original);
      break;
    }
  }
  const queues = new Map<Kind, Part[]>();
  for (const part of free) {
    const queue = queues.get(part.kind);
    if (queue) queue.push(part);
    else queues.set(part.kind, [part]);
  }
  const next = new Map<Kind, number>();
  for (const translation of translations) {
    if (found.has(translation)) continue;
    const at = next.get(translation.kind) ?? 0;
    const original = queues.get(translation.kind)?.[at];
    if (!original) continue;
    next.set(translation.kind, at + 1);
    pair(translation, original);
  }
  return found;
}

function copyOf({ element, kind }: Part): HTMLElement | undefined {
  const shown = kind === 'float' ? element.querySelector('figcaption, caption') : element;
  if (!shown?.textContent?.trim()) return undefined;
  const copy = cloneContent(shown);
  for (const tools of copy.querySelectorAll('.translate')) tools.remove();
  if (kind !== 'float') return copy;
  // A caption stands alone, outside of its figure.
  const box = document.createElement('div');
  box.className = 'aligned-caption';
  box.append(...copy.childNodes);
  return box;
}

/** A heading has the level of its partner: in a part that is published with the article, all headings are one level lower. */
function inLevelOf(partner: HTMLElement, part: Part): HTMLElement | undefined {
  const copy = copyOf(part);
  if (!copy || copy.tagName === partner.tagName) return copy;
  const heading = document.createElement(partner.tagName);
  heading.className = copy.className;
  heading.append(...copy.childNodes);
  return heading;
}

/** Aligns a translated section with the original one: sections by their ids or order, their paragraphs likewise. `ids` gets the ids of what says the same. */
export function align(original: HTMLElement, translation: HTMLElement, ids = new Map<string, string>()): Aligned[] {
  const originals = partsOf(original);
  const translations = partsOf(translation);
  const partnerOf = partners(originals, translations);
  const aligned: Aligned[] = [];
  let last = originals[0]?.element;
  for (const part of translations) {
    const partner = partnerOf.get(part);
    if (partner) last = partner.element;
    if (!last) continue;
    if (partner?.element.id && part.element.id) ids.set(part.element.id, partner.element.id);
    if (partner && part.kind === 'section') {
      aligned.push(...align(partner.element, part.element, ids));
      continue;
    }
    const copy = part.kind === 'heading' && partner ? inLevelOf(partner.element, part) : copyOf(part);
    if (copy) aligned.push({ original: last, copy, partner: Boolean(partner) });
  }
  return aligned;
}

const primary = (tag: string) => (tag.split('-')[0] ?? '').toLowerCase();
export const sameLanguage = (one: string, other: string): boolean => primary(one) === primary(other);

/** Sections of an article that have translations of their own. */
const TRANSLATED = ['abstract', 'keywords', 'highlights'];

/** The sections of an article with their translations into a language: of its text, and of abstracts, key words and highlights. */
export function translatedSections(article: HTMLElement, lang: string): [HTMLElement, HTMLElement][] {
  const sections = all(article, 'section');
  const inLanguage = (kind: string) => sections.filter((section) => valueOf(section, 'section') === kind && sameLanguage(section.lang || article.lang, lang));
  const whole = inLanguage('sub-article')[0];
  const counts = new Map<string, number>();
  return sections.flatMap((section): [HTMLElement, HTMLElement][] => {
    const kind = valueOf(section, 'section');
    if (!sameLanguage(section.lang || article.lang, article.lang)) return [];
    if (kind === 'body') return whole ? [[section, whole]] : [];
    if (!TRANSLATED.includes(kind)) return [];
    const at = counts.get(kind) ?? 0;
    counts.set(kind, at + 1);
    const inside = whole?.querySelectorAll<HTMLElement>(`:scope > ${selectorOf('own', kind)}`);
    const translation = inLanguage(kind)[at] ?? inside?.[at];
    return translation ? [[section, translation]] : [];
  });
}

/**
 * Puts translations into the article beside the original, and with `outline` their headings into the outline; the returned function takes them away
 * again.
 */
export function putBeside(article: HTMLElement, lang: string, dir: string, outline = false): () => void {
  const undo: (() => void)[] = [];
  const mark = (element: Element | null, name: string) => {
    if (!element || element.classList.contains(name)) return;
    element.classList.add(name);
    undo.push(() => element.classList.remove(name));
  };
  const lines = new Map([...(first(article, 'outline')?.querySelectorAll('a') ?? [])].map((link) => [link.getAttribute('href'), link]));
  /** A line of the outline leads to a section or, where that has no id, to its heading. */
  const rename = (heading: HTMLElement, copy: HTMLElement) => {
    const line = lines.get(`#${heading.id}`) ?? lines.get(`#${heading.parentElement?.id ?? ''}`);
    const text = line && (line.querySelector('bdi') ?? line);
    if (!text) return;
    const { textContent, lang: own } = text;
    text.textContent = copy.textContent;
    text.lang = lang;
    undo.push(() => {
      text.textContent = textContent;
      if (own) text.lang = own;
      else text.removeAttribute('lang');
    });
  };
  const pairs = translatedSections(article, lang);
  const ids = new Map<string, string>();
  const copies: HTMLElement[] = [];
  // Where a copy stands already, the next one follows it.
  const last = new Map<HTMLElement, HTMLElement>();
  for (const [original, translation] of pairs) {
    mark(original, 'is-aligned');
    for (const part of original.querySelectorAll('section')) mark(part, 'is-aligned');
    for (const { original: left, copy, partner } of align(original, translation, ids)) {
      copy.classList.add('aligned');
      copy.lang = lang;
      copy.dir = dir;
      (last.get(left) ?? left).after(copy);
      last.set(left, copy);
      copies.push(copy);
      undo.push(() => copy.remove());
      if (partner && !copy.matches('.aligned-caption')) mark(left, 'has-translation');
      if (outline && partner && KINDS[copy.tagName] === 'heading') rename(left, copy);
    }
    // A text that is shown beside the original is not shown again behind it.
    const source = around(translation, 'section');
    mark(source, 'is-beside');
    mark((source && lines.get(`#${source.id}`))?.parentElement ?? null, 'is-beside');
  }
  // Figures and sections of the translation are not shown: links lead to those of the original.
  for (const link of copies.flatMap((copy) => [...copy.querySelectorAll('a[href^="#"]')])) {
    const id = ids.get((link.getAttribute('href') ?? '').slice(1));
    if (id) link.setAttribute('href', `#${id}`);
  }
  return () => {
    for (const step of undo.reverse()) step();
  };
}
