import type { PageView } from '@masthead/ui-sdk';

export type ArticlePage = Extract<PageView, { kind: 'article' }>;

export interface ReaderProps {
  main: HTMLElement;
  article: HTMLElement;
  page: ArticlePage;
  /** Whether the reader has begun to read: what nobody needs before is loaded then. */
  begun: boolean;
}
