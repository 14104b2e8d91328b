import slots from '../../slots.json' with { type: 'json' };
import type { components } from './api.ts';

type Schemas = components['schemas'];
export type Bootstrap = Schemas['Bootstrap'];
export type PageView = Schemas['PageView'];
/** The data of an article page about its article. */
export type ArticlePage = Extract<PageView, { kind: 'article' }>;

export type SlotName = keyof typeof slots;

export interface SlotRule {
  /** `one`: the first module is mounted, further ones are reported and ignored. */
  cardinality: 'one' | 'many';
  /** Whether the page is complete without any module. */
  optional: boolean;
  /** Whether modules of the slot are loaded after the first view: neither the document nor the shell waits for them. */
  late: boolean;
}

/** Every slot of a page. The host reads the same file: the document of a page links no module of a late slot. */
export const SLOTS = slots as Record<SlotName, SlotRule>;

/** Given to the modules of every slot. */
export interface CommonProps extends Pick<Bootstrap, 'site' | 'lang' | 'base'> {
  /** Path and query of the page. */
  path: string;
}

export interface HeaderProps extends CommonProps, Pick<Bootstrap, 'menu' | 'languages' | 'header' | 'session'> {}

export interface AccountProps extends CommonProps, Pick<Bootstrap, 'session'> {
  /** Sign-in address with the way back, or "" where the site hides the entry. */
  loginHref: string;
}

export interface SearchProps extends CommonProps, Pick<Bootstrap, 'search'> {
  /** The words that the reader has searched for, or "". */
  words: string;
  /** Whether the page is the home page, where a search widget may be large. */
  home: boolean;
}

export interface FooterProps extends CommonProps, Pick<Bootstrap, 'footer'> {
  homeHref: string;
}

export interface FloatingProps extends CommonProps {
  page: PageView;
}

export interface ArticleProps extends CommonProps, Pick<Bootstrap, 'permissions'> {
  article: ArticlePage;
}

/** One result of a list. The place in the page says which. */
export interface HitProps {
  id: number;
  doi: string;
  articleType: string;
}

/** Properties of a module by slot. A module may have further ones of its own, which a site or a plugin configures: they are optional. */
export interface SlotProps {
  header: HeaderProps;
  'header.account': AccountProps;
  search: SearchProps;
  footer: FooterProps;
  'footer.rows': CommonProps;
  'page.floating': FloatingProps;
  'home.sections': CommonProps;
  'article.toolbar': ArticleProps;
  'article.aside': ArticleProps;
  'article.sections': ArticleProps;
  'result.badges': CommonProps & HitProps;
}

/** The properties that the place of a slot gives to its modules, besides those of the page. Most places give none. */
export type PlaceProps<S extends SlotName> = S extends 'result.badges' ? HitProps : Record<never, never>;

type OfPage = { [S in SlotName]: (bootstrap: Bootstrap) => Omit<SlotProps[S], keyof CommonProps | keyof PlaceProps<S>> };

const none = () => ({});
// Other pages have no slot of an article.
const article = ({ page, permissions }: Bootstrap) => ({ article: page as ArticlePage, permissions });
const OF_PAGE: OfPage = {
  header: ({ menu, languages, header, session }) => ({ menu, languages, header, session }),
  'header.account': ({ session, header }) => ({ session, loginHref: header.loginHref }),
  search: ({ search, page }) => ({ search, words: page.kind === 'search' ? page.q : '', home: page.kind === 'home' }),
  footer: ({ footer, header }) => ({ footer, homeHref: header.homeHref }),
  'footer.rows': none,
  'page.floating': ({ page }) => ({ page }),
  'home.sections': none,
  'article.toolbar': article,
  'article.aside': article,
  'article.sections': article,
  'result.badges': none,
};

/** The properties that a page gives to the modules of a slot: all of `SlotProps` except those of the place. */
export function pageProps(slot: SlotName, bootstrap: Bootstrap, path: string): object {
  const { site, lang, base } = bootstrap;
  return { site, lang, base, path, ...OF_PAGE[slot](bootstrap) };
}
