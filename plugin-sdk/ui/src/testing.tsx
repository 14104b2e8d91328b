import { useMemo, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import type { UiModule } from './contract/contract.ts';
import { ShellProvider, type Shell } from './contract/context.tsx';
import { moduleElement } from './contract/element.ts';
import { pageProps, type ArticlePage, type Bootstrap, type PlaceProps, type SlotName, type SlotProps } from './contract/slots.ts';
import { CONTRACT } from './contract/version.ts';
import { addMessages, createI18n, tagOf } from './i18n/i18n.ts';

/** A bootstrap in the host's form; `change` replaces top-level properties. */
export function sampleBootstrap(change: Partial<Bootstrap> = {}): Bootstrap {
  const lang = change.lang ?? 'en';
  const zh = lang === 'zh';
  return {
    contract: CONTRACT,
    site: {
      id: 448,
      sld: 'coast',
      name: zh ? '海岸与海洋研究' : 'Coastal and Ocean Research',
      description: '',
      type: 'single',
      groupType: 0,
      colorId: 3,
      grayType: 0,
      navStyle: 1,
      searchStyle: 1,
      logo: '',
    },
    lang,
    base: '',
    translate: [],
    languages: [
      { code: 'zh', tag: 'zh', name: '中文', dir: 'ltr', href: '/zh/home/' },
      { code: 'en', tag: 'en', name: 'English', dir: 'ltr', href: '/en/home/' },
      { code: 'ara', tag: 'ar', name: 'العربية', dir: 'rtl', href: '/ara/home/' },
    ],
    menu: [
      { id: 1, code: 'home', label: zh ? '首页' : 'Home', href: `/${lang}/home/`, newTab: false, current: true, children: [] },
      {
        id: 2,
        code: 'browse',
        label: zh ? '文章浏览' : 'Browse',
        href: `/${lang}/issues/`,
        newTab: false,
        current: false,
        children: [
          { id: 3, code: 'directory', label: zh ? '当期目录' : 'Current issue', href: `/${lang}/issue/2026/3/`, newTab: false, current: false, children: [] },
          { id: 4, code: 'latestOffer', label: zh ? '最新录用' : 'Just accepted', href: `/${lang}/justAccepted/`, newTab: false, current: false, children: [] },
        ],
      },
      { id: 5, code: 'periodIntroduce', label: zh ? '期刊介绍' : 'About', href: `/${lang}/about/5/`, newTab: false, current: false, children: [] },
      { id: 6, code: 'jump', label: zh ? '投稿系统' : 'Submit', href: 'https://submit.example/', newTab: true, current: false, children: [] },
    ],
    header: {
      homeHref: `/${lang}/home/`,
      loginHref: '/login?lang=en&url=%2F',
      switchLanguage: true,
      searchBox: true,
      groupEntrance: '',
      buttons: [{ label: zh ? '在线投稿' : 'Submit a paper', href: 'https://submit.example/' }],
    },
    footer: {
      copyright: zh ? '版权所有 © 2026《海岸与海洋研究》编辑部' : 'Copyright © 2026 Editorial Office of Coastal and Ocean Research',
      icp: '京ICP备00000000号-1',
      icpHref: 'https://beian.miit.gov.cn/',
      picp: '京公网安备 00000000000000号',
      picpHref: 'https://beian.mps.gov.cn/',
      toolbarStyle: 0,
      links: [{ route: 'homeNav', label: zh ? '全站导航' : 'Site navigation', href: `/${lang}/homeNav` }],
    },
    search: {
      action: `/${lang}/search`,
      title: zh ? '检索文献' : 'Search the literature',
      slogans: [zh ? '海岸、海洋与人' : 'Coasts, oceans and people'],
      scopes: [
        { type: 'article', name: zh ? '论文' : 'Article', option: { label: zh ? '全部字段' : 'All fields', field: '0' } },
        { type: 'picture', name: zh ? '图片' : 'Figure' },
        { type: 'table', name: zh ? '表格' : 'Table' },
      ],
      optionLabel: zh ? '检索字段' : 'Search field',
      advanced: { label: zh ? '高级检索' : 'Advanced search', href: `/${lang}/seniorSearch` },
      quickEntry: { label: zh ? '在线投稿' : 'Submit a paper', href: 'https://submit.example/' },
      hotWords: zh ? ['红树林', '潮汐能', '微塑料'] : ['mangrove', 'tidal energy', 'microplastics'],
    },
    slots: {},
    session: { signedIn: false, userName: '' },
    permissions: { visitPower: true, downloadPower: true },
    page: { kind: 'home' },
    ...change,
  };
}

/** The data of an article page about its article. */
export const sampleArticle = (zh = false): ArticlePage => ({
  kind: 'article',
  id: 64,
  doi: '10.5555/coast.2026.3.1',
  title: zh ? '少量浮标是否足够' : 'How few buoys are enough',
  language: zh ? 'zh' : 'en',
  outline: [],
  citation: 'Lin W. How few buoys are enough. Coastal and Ocean Research 2026;3:1–9.',
});

/** What the places of slots give to their modules: one result of a list, and a home page whose slot stands beside news. */
export const SAMPLE_PLACES: { [S in SlotName]?: PlaceProps<S> } = {
  'result.badges': { id: 64, doi: '10.5555/coast.2026.3.1', articleType: 'research-article' },
  'home.sections': {
    layout: 'journal',
    channel: 0,
    sections: [
      { kind: 'hero', id: '', place: 'full', title: '', size: 0 },
      { kind: 'latest', id: 'home-2', place: 'main', title: '', size: 8 },
      { kind: 'news', id: 'home-3', place: 'side', title: 'From the sea', size: 5 },
      { kind: 'plugins', id: '', place: 'side', title: '', size: 0 },
    ],
  },
};

const placeOf = (slot: SlotName): object => SAMPLE_PLACES[slot] ?? {};

const ofArticle = (slot: SlotName | undefined) => slot?.startsWith('article.') === true;

/** The bootstrap of a page that has the slot. */
export const bootstrapWith = (slot: SlotName | undefined, change: Partial<Bootstrap> = {}): Bootstrap =>
  sampleBootstrap({ ...(ofArticle(slot) ? { page: sampleArticle(change.lang === 'zh') } : {}), ...change });

/** Sample properties of a slot, as the shell gives them; `change` replaces parts of the page. */
export function sampleProps<S extends SlotName>(slot: S, change: Partial<Bootstrap> = {}): SlotProps[S] {
  const bootstrap = bootstrapWith(slot, change);
  return { ...placeOf(slot), ...pageProps(slot, bootstrap, `/${bootstrap.lang}/home/`) } as SlotProps[S];
}

export interface FakeShell {
  navigations: string[];
  /** Short messages that were shown. */
  messages: string[];
  shell: Shell;
}

export function fakeShell(module: UiModule | undefined, change: Partial<Bootstrap> = {}, slots: Record<string, ReactNode> = {}): FakeShell {
  const bootstrap = bootstrapWith(module?.slot, change);
  const navigations: string[] = [];
  const messages: string[] = [];
  const missing = () => Promise.reject(new Error('renderModule: no API here; pass one'));
  const shell: Shell = {
    bootstrap,
    path: `/${bootstrap.lang}/home/`,
    pending: false,
    api: { get: missing, post: missing, put: missing, delete: missing },
    navigate: (to) => navigations.push(to),
    notify: (message) => messages.push(message),
    busy: (work) => work,
    renderSlot: (name, _, fallback) => slots[name] ?? fallback,
  };
  return { navigations, messages, shell };
}

/** The module's messages in a language. A key that a catalogue lacks is an error; a language without a catalogue gets English. */
function i18nOf({ id, messages }: UiModule, lang: string) {
  const i18n = createI18n({
    namespace: id,
    fallback: !messages?.[lang],
    onMissing: (tag, namespace, key) => {
      throw new Error(`${namespace} has no message ${key} in ${tag}`);
    },
  });
  addMessages(i18n, id, messages);
  void i18n.changeLanguage(tagOf(lang));
  return i18n;
}

/** Renders the module inside a shell, usually one of `fakeShell`. `props` are the module's own properties. */
export function ModuleFrame({ module, shell, props = {} }: { module: UiModule; shell: Shell; props?: object }) {
  const { lang } = shell.bootstrap;
  const i18n = useMemo(() => i18nOf(module, lang), [module, lang]);
  return (
    <ShellProvider value={shell}>
      <I18nextProvider i18n={i18n} defaultNS={module.id}>
        {moduleElement(module, shell.bootstrap, shell.path, props, placeOf(module.slot))}
      </I18nextProvider>
    </ShellProvider>
  );
}

export interface RenderOptions {
  bootstrap?: Partial<Bootstrap>;
  /** The module's own properties, as a site or a plugin configures them. */
  props?: object;
  api?: Partial<Shell['api']>;
  slots?: Record<string, ReactNode>;
}

/** Renders a module with testing-library, which only this entry needs. */
export async function renderModule(module: UiModule, options: RenderOptions = {}) {
  const { render } = await import('@testing-library/react');
  const { loadOverlays } = await import('./primitives/load.ts');
  await loadOverlays();
  const fake = fakeShell(module, options.bootstrap, options.slots);
  Object.assign(fake.shell.api, options.api);
  return { ...render(<ModuleFrame module={module} shell={fake.shell} props={options.props} />), ...fake };
}
