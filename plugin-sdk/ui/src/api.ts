/* The types of the host's API, in the form that openapi-typescript writes (`npm run types` replaces this file). */
export interface components {
  schemas: {
    Lang: 'zh' | 'en' | 'ru' | 'ara' | 'spa' | 'fra' | 'de' | 'jp' | 'kor';
    SiteKind: 'single' | 'group' | 'all';
    Permissions: { visitPower: boolean; downloadPower: boolean };
    SiteView: {
      id: number;
      sld: string;
      name: string;
      description: string;
      type: components['schemas']['SiteKind'];
      groupType: number;
      colorId: number;
      grayType: number;
      navStyle: number;
      searchStyle: number;
      logo: string;
    };
    LanguageLink: { code: components['schemas']['Lang']; tag: string; name: string; dir: string; href: string };
    MenuLink: {
      id: number;
      code: string;
      label: string;
      href: string;
      newTab: boolean;
      current: boolean;
      children: components['schemas']['MenuLink'][];
    };
    ButtonView: { label: string; href: string };
    HeaderView: {
      homeHref: string;
      loginHref: string;
      switchLanguage: boolean;
      searchBox: boolean;
      groupEntrance: string;
      buttons: components['schemas']['ButtonView'][];
    };
    FooterView: { copyright: string; icp: string; icpHref: string; picp: string; picpHref: string };
    ScopeView: { type: string; name: string };
    SearchView: {
      action: string;
      title: string;
      slogans: string[];
      scopes: components['schemas']['ScopeView'][];
      hotWords: string[];
    };
    SlotModule: { module: string; entry: string; integrity: string; css: string[]; props: unknown };
    SessionView: { signedIn: boolean; userName: string };
    OutlineLink: { id: string; level: number; title: string };
    PageView:
      | { kind: 'home' }
      | { kind: 'list'; route: string }
      | { kind: 'search'; q: string; total: number }
      | {
          kind: 'article';
          id: number;
          doi: string;
          title: string;
          language: string;
          outline: components['schemas']['OutlineLink'][];
          citation: string;
        }
      | { kind: 'message'; status: number; message: string };
    Bootstrap: {
      contract: number;
      site: components['schemas']['SiteView'];
      lang: components['schemas']['Lang'];
      base: string;
      languages: components['schemas']['LanguageLink'][];
      menu: components['schemas']['MenuLink'][];
      header: components['schemas']['HeaderView'];
      footer: components['schemas']['FooterView'];
      search: components['schemas']['SearchView'];
      slots: { [key: string]: components['schemas']['SlotModule'][] };
      session: components['schemas']['SessionView'];
      permissions: components['schemas']['Permissions'];
      page: components['schemas']['PageView'];
    };
    PagePayload: {
      title: string;
      tag: string;
      dir: string;
      status: number;
      html: string;
      bootstrap: components['schemas']['Bootstrap'];
    };
  };
}
