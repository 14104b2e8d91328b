/*
 * What the reader's tools find in the host's article: by these attributes, never by class names, which belong to the style sheet.
 * Tests of the host read this file (host/documents/tests/documents/parts.rs, host/web/tests/it/pages.rs): each attribute is in its HTML.
 */

/** Attributes of the page around the content, which host/web writes. */
export const PAGE_PARTS = {
  /** The article; its number. */
  article: 'data-article',
  /** The list of the article's headings, with a link to each. */
  outline: 'data-outline',
  /** Everything of the article below its title and facts. */
  body: 'data-body',
  /** A section of the article; its kind, a `SectionKind`. The heading is its first child. */
  section: 'data-section',
  /** A place for modules, and for the toolbar. */
  slot: 'data-slot',
  /** The column beside the content. */
  aside: 'data-aside',
  /** How to cite the article in one style, which is its value. The name of the style is the summary. */
  citationStyle: 'data-citation-style',
  citationText: 'data-citation-text',
  /** How often the article was read; the name of the number, as the statistics have it. */
  metric: 'data-metric',
  /** The list of the languages of the text, on articles that have several. */
  textLanguages: 'data-text-languages',
  /** A link to the text in another language, whose tag is its value. */
  textLanguage: 'data-text-language',
} as const;

/** Attributes of the content, which host/documents writes when an article is imported. */
export const CONTENT_PARTS = {
  /** A figure; its id. */
  figure: 'data-fig',
  /** A table with caption and notes; its id. */
  table: 'data-table',
  /** The box in which a table scrolls. */
  tableBox: 'data-table-box',
  tableNotes: 'data-table-notes',
  /** The heading of a figure or table, within its `figcaption`. */
  captionTitle: 'data-caption-title',
  /** The printed number of a figure, table or formula, such as `Figure 2`. */
  label: 'data-label',
  /** A paragraph that contains blocks, such as a list or a formula. */
  paragraph: 'data-p',
  /** A displayed formula. */
  formula: 'data-formula',
  /** The source of a formula in LaTeX; on formulas that have one. */
  latex: 'data-latex',
  /** A cross-reference, a link to an element of the article; its kind, an `XrefKind`. */
  xref: 'data-ref-type',
  /** On cross-references that lead to several elements: their ids, those of a range included. */
  rids: 'data-rids',
  /** An entry of the list of references. */
  reference: 'data-ref',
  /** A citation in an entry: one for each language. */
  citation: 'data-citation',
  footnote: 'data-footnote',
  /** A note within the text. */
  note: 'data-note',
  /** The printed number or mark of a reference, footnote or note. */
  mark: 'data-mark',
  keyword: 'data-keyword',
} as const;

/** Attributes of the content of articles with a translation. */
export const TRANSLATION_PARTS = {
  /** What the translation has of its own, such as its authors, and what the page has in other sections; of an abstract or highlights, the kind. */
  own: 'data-own',
} as const;

/** Attributes of pictures that the host has in other versions, too. */
export const PICTURE_PARTS = {
  /** The address of a small version. */
  small: 'data-small',
  /** The address of the file as it came, which browsers may not be able to show, such as TIFF. */
  original: 'data-original',
} as const;

/** Attributes of readers' comments, on sites that have them. A test of the host reads them here, too: host/web/tests/it/article_calls.rs. */
export const COMMENT_PARTS = {
  /** The comments, newest first; on articles that have some. */
  commentsList: 'data-comments-list',
  /** The button for older comments, on articles that have more than the page; the number of the last comment of the page. */
  commentsMore: 'data-comments-more',
  /** The form for another comment, on pages of members. */
  commentForm: 'data-comment-form',
} as const;

export const PARTS = { ...PAGE_PARTS, ...CONTENT_PARTS, ...TRANSLATION_PARTS, ...PICTURE_PARTS, ...COMMENT_PARTS } as const;
export type Part = keyof typeof PARTS;

/** Elements that are not just any element. */
interface Elements {
  citationStyle: HTMLDetailsElement;
  commentForm: HTMLFormElement;
  commentsMore: HTMLButtonElement;
  textLanguage: HTMLAnchorElement;
  xref: HTMLAnchorElement;
}
export type PartElement<P extends Part> = P extends keyof Elements ? Elements[P] : HTMLElement;

/** Kinds of sections whose text the tools know. */
export type SectionKind = 'abstract' | 'body' | 'graphic-abstract' | 'sub-article';
export type SlotKind = 'article.toolbar';
interface Values {
  section: SectionKind;
  slot: SlotKind;
}

/** The selector of a part, of one with a value, or of several parts. */
export const selectorOf = <P extends Part>(part: P, value?: P extends keyof Values ? Values[P] : string): string =>
  value === undefined ? `[${PARTS[part]}]` : `[${PARTS[part]}="${value}"]`;

export const all = <P extends Part>(within: ParentNode, part: P): PartElement<P>[] => [...within.querySelectorAll<PartElement<P>>(selectorOf(part))];

export const first = <P extends Part>(within: ParentNode, part: P, value?: P extends keyof Values ? Values[P] : string): PartElement<P> | null =>
  within.querySelector<PartElement<P>>(selectorOf(part, value));

/** The element itself or the nearest one around it that is one of these parts. */
export const around = <P extends Part>(element: Element, ...parts: P[]): PartElement<P> | null =>
  element.closest<PartElement<P>>(parts.map((part) => selectorOf(part)).join(', '));

export const isPart = (element: Element | null, part: Part): element is HTMLElement => element?.hasAttribute(PARTS[part]) ?? false;

export const valueOf = (element: Element, part: Part): string => element.getAttribute(PARTS[part]) ?? '';

/** The address of a picture as the browser shows it. */
export const shownAt = (image: HTMLImageElement): string => image.currentSrc || image.src;
