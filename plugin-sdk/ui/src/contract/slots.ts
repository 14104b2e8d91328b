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

/** A section of a home page. One that has nothing to show is among them, too. */
export interface HomeSection {
  /** What it shows: `kind` of a section in the site's configuration. `plugins` is the slot itself. */
  kind:
    | 'hero'
    | 'carousel'
    | 'contents'
    | 'currentIssue'
    | 'latest'
    | 'onlineFirst'
    | 'justAccepted'
    | 'news'
    | 'albums'
    | 'rankings'
    | 'hotWords'
    | 'statistics'
    | 'links'
    | 'journals'
    | 'sites'
    | 'plugins';
  /** The id of its element, to which a link can lead, or "": `hero`, the slot, and sections that nobody has configured have none. */
  id: string;
  /** Over the whole width, or in the wide or the narrow column. */
  place: 'full' | 'main' | 'side';
  /** The heading that the site has set, in the language of the page, or "" where the section has the heading of its kind. */
  title: string;
  /** Greatest number of entries; 0 for kinds without a limit. */
  size: number;
}

/** The sections of a home page, among which the modules stand. */
export interface HomeProps {
  /** Typographic arrangement of the sections. */
  layout: 'journal' | 'newspaper' | 'portal';
  /** Number of the channel whose page it is; 0 for the home page itself. */
  channel: number;
  /** In the order of the page, those in columns as they are configured. */
  sections: HomeSection[];
}

/** Properties of a module by slot. A module may have further ones of its own, which a site or a plugin configures: they are optional. */
export interface SlotProps {
  header: HeaderProps;
  'header.account': AccountProps;
  search: SearchProps;
  footer: FooterProps;
  'footer.rows': CommonProps;
  'page.floating': FloatingProps;
  'home.sections': CommonProps & HomeProps;
  'article.toolbar': ArticleProps;
  'article.aside': ArticleProps;
  'article.sections': ArticleProps;
  'result.badges': CommonProps & HitProps;
}

/** The slots whose place in the page gives properties to their modules: the host writes them there, as JSON in `data-props`. */
interface OfPlace {
  'home.sections': HomeProps;
  'result.badges': HitProps;
}

/** The properties that the place of a slot gives to its modules, besides those of the page. Most places give none. */
export type PlaceProps<S extends SlotName> = S extends keyof OfPlace ? OfPlace[S] : Record<never, never>;

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
