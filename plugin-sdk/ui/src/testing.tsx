import { createElement, useState, type ReactNode } from 'react';
import type { Bootstrap, UiModule } from './contract/contract.ts';
import { NamespaceProvider, ShellProvider, type Shell, type Values } from './contract/context.tsx';

/** A bootstrap in the host's form; `change` replaces top-level properties. */
export function sampleBootstrap(change: Partial<Bootstrap> = {}): Bootstrap {
  const lang = change.lang ?? 'en';
  const zh = lang === 'zh';
  return {
    contract: 1,
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
    },
    search: {
      action: `/${lang}/search`,
      title: zh ? '检索文献' : 'Search the literature',
      slogans: [zh ? '海岸、海洋与人' : 'Coasts, oceans and people'],
      scopes: [
        { type: 'article', name: zh ? '论文' : 'Article' },
        { type: 'picture', name: zh ? '图片' : 'Figure' },
        { type: 'table', name: zh ? '表格' : 'Table' },
      ],
      hotWords: zh ? ['红树林', '潮汐能', '微塑料'] : ['mangrove', 'tidal energy', 'microplastics'],
    },
    slots: {},
    session: { signedIn: false, userName: '' },
    permissions: { visitPower: true, downloadPower: true },
    page: { kind: 'home' },
    ...change,
  };
}

export interface FakeShell {
  navigations: string[];
  shell: Shell;
}

export function fakeShell(module: UiModule | undefined, change: Partial<Bootstrap> = {}, slots: Record<string, ReactNode> = {}): FakeShell {
  const bootstrap = sampleBootstrap(change);
  const navigations: string[] = [];
  const fill = (text: string, values: Values = {}) => text.replace(/{{(\w+)}}/g, (_, name: string) => String(values[name] ?? ''));
  const missing = () => Promise.reject(new Error('renderModule: no API here; pass one'));
  const shell: Shell = {
    bootstrap,
    path: `/${bootstrap.lang}/home/`,
    pending: false,
    api: { get: missing, post: missing, delete: missing },
    navigate: (to) => navigations.push(to),
    translate: (_, key, values) => {
      const text = module?.messages?.[bootstrap.lang]?.[key] ?? module?.messages?.['en']?.[key];
      if (text === undefined) throw new Error(`no message ${key}`);
      return fill(text, values);
    },
    renderSlot: (name, _, fallback) => slots[name] ?? fallback,
  };
  return { navigations, shell };
}

/** Renders the module inside a shell, usually one of `fakeShell`. */
export function ModuleFrame({ module, shell, props = {} }: { module: UiModule; shell: Shell; props?: object }) {
  return (
    <ShellProvider value={shell}>
      <NamespaceProvider value={module.id}>{createElement(module.Component, props as Record<string, unknown>)}</NamespaceProvider>
    </ShellProvider>
  );
}

export interface RenderOptions {
  bootstrap?: Partial<Bootstrap>;
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

/** A stand-alone page for `npm run dev -w ui-modules/<id>`: the module in every language, theme and direction. */
export function ModuleBench({ module, samples }: { module: UiModule; samples: object }) {
  const [lang, setLang] = useState<Bootstrap['lang']>('zh');
  const [home, setHome] = useState(true);
  const [theme, setTheme] = useState('light');
  const codes = [...new Set(['zh', 'en', 'ara', ...Object.keys(module.messages ?? {})])] as Bootstrap['lang'][];
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.dir = lang === 'ara' ? 'rtl' : 'ltr';
  document.documentElement.lang = lang;
  document.body.className = home ? 'page-home' : 'page-article';
  const { shell } = fakeShell(module, { lang, page: home ? { kind: 'home' } : { kind: 'message', status: 200, message: '' } });
  return (
    <>
      <ModuleFrame key={lang} module={module} shell={shell} props={samples} />
      <p style={{ padding: '2rem', display: 'flex', gap: '1rem' }}>
        {codes.map((code) => (
          <button key={code} type="button" className="mh-button" onClick={() => setLang(code)}>
            {code}
          </button>
        ))}
        <button type="button" className="mh-button" onClick={() => setTheme(theme === 'light' ? 'dark' : 'light')}>
          {theme}
        </button>
        <button type="button" className="mh-button" onClick={() => setHome(!home)}>
          {home ? 'home' : 'other page'}
        </button>
      </p>
    </>
  );
}
