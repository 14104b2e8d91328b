import { sampleBootstrap } from '@masthead/ui-sdk/testing';
import type { Bootstrap, SlotModule, SlotName, UiModule } from '@masthead/ui-sdk';
import { act, fireEvent, waitFor } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import footer from '../../ui-modules/footer-default/src/module.ts';
import rows from '../../ui-modules/footer-friendship-links/src/module.ts';
import alternate from '../../ui-modules/nav-alternate/src/module.ts';
import nav from '../../ui-modules/nav-default/src/module.ts';
import banner from '../../ui-modules/search-banner/src/module.ts';
import bar from '../../ui-modules/search-header-bar/src/module.ts';
import four from '../../ui-modules/search-style-four/src/module.ts';
import one from '../../ui-modules/search-style-one/src/module.ts';
import seven from '../../ui-modules/search-style-seven/src/module.ts';
import six from '../../ui-modules/search-style-six/src/module.ts';
import two from '../../ui-modules/search-style-two/src/module.ts';
import { boot } from '../../ui-shell/src/boot.tsx';
import { forget } from '../../ui-shell/src/slots/ModuleStore.ts';
import { standing } from '../../ui-shell/src/slots/SlotView.tsx';
import { Renderer } from '../src/render.tsx';

const changed = vi.hoisted(() => ({ how: '', arrive: () => undefined as void }));
vi.mock('#loader', async () => {
  const real = await vi.importActual<typeof import('../../ui-shell/src/loader/source.ts')>('../../ui-shell/src/loader/source.ts');
  const arrival = new Promise<void>((resolve) => (changed.arrive = resolve));
  const other = (module: UiModule) => ({ ...module, Component: () => <p>other than on the host</p> });
  return {
    loadModule: async (ref: SlotModule) => {
      if (changed.how === 'late') await arrival;
      if (changed.how === 'missing') throw new Error('404');
      const module = (await real.loadModule(ref)) as UiModule;
      return changed.how === 'other' && ref.module.startsWith('nav') ? other(module) : module;
    },
  };
});

const LANGUAGES: Bootstrap['lang'][] = ['zh', 'en', 'ru', 'ara', 'spa', 'fra', 'de', 'jp', 'kor'];
const renderer = new Renderer();
const WIDGETS = [banner, bar, four, one, seven, six, two];
for (const module of [footer, rows, alternate, nav, ...WIDGETS]) renderer.add(module);

const ref = (module: UiModule, props: object = {}): SlotModule => ({
  module: module.id,
  entry: `/assets/modules/${module.id}/assets/${module.id}-1.js`,
  integrity: 'sha384-aaaa',
  css: [],
  props,
});
const LINKS = { title: { en: 'Links' }, links: [{ name: { en: 'A & B' }, address: 'https://a.example/?x=1&y=2' }] };
const pageOf = (header: UiModule, search: UiModule, lang: Bootstrap['lang'] = 'en', change: Partial<Bootstrap> = {}): Bootstrap => ({
  ...sampleBootstrap({ lang }),
  slots: { header: [ref(header)], search: [ref(search)], footer: [ref(footer)], 'footer.rows': [ref(rows, LINKS)] },
  ...change,
});
const of = (slot: SlotName, { page, ...bootstrap }: Bootstrap, path = '/en/home/') => renderer.render({ slot, path, page, bootstrap });

/** A document as the host sends it. */
function send(bootstrap: Bootstrap): void {
  const slot = (name: SlotName) => `<div class="slot" data-slot="${name}" data-rendered>${of(name, bootstrap).html}</div>`;
  const json = JSON.stringify(bootstrap).replaceAll('<', '\\u003c');
  document.body.innerHTML = `<div id="app">${slot('header')}${slot('search')}<main id="main" tabindex="-1"><h1>Page</h1></main>${slot('footer')}</div><script type="application/json" id="bootstrap">${json}</script>`;
}

let root: Root | undefined;
const reported: { reason: string; module: string }[] = [];
const start = () =>
  act(async () => {
    root = await boot();
    await new Promise((resolve) => setTimeout(resolve, 30));
  });
const slots = () => [...document.querySelectorAll('#app > [data-slot]')];
/** The markup of the frame; the browser leaves the content of a noscript to readers without scripts. */
const frame = () => slots().map((slot) => slot.innerHTML.replace(/<noscript>.*?<\/noscript>/gs, ''));

beforeEach(() => {
  history.replaceState(null, '', '/en/home/');
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
    if (init?.body) reported.push(JSON.parse(String(init.body)) as { reason: string; module: string });
    return new Response('{"status":0,"data":true,"message":""}');
  });
  vi.spyOn(console, 'error').mockImplementation((...said) => {
    throw new Error(said.join(' '));
  });
});
afterEach(async () => {
  await act(async () => {
    root?.unmount();
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
  root = undefined;
  changed.how = '';
  reported.length = 0;
  forget();
  standing.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('what the host renders', () => {
  it.each(LANGUAGES.flatMap((lang) => [[lang, nav, one] as const, [lang, alternate, bar] as const]))(
    'is what the browser renders first, in %s',
    async (lang, header, search) => {
      send(pageOf(header, search, lang));
      const [before, nodes] = [frame(), [...document.querySelectorAll('#app > [data-slot] *:not(noscript *)')]];
      expect(before.join()).toContain('data-module');
      await start();
      expect(frame()).toEqual(before);
      expect(nodes.every((node) => node.isConnected)).toBe(true);
      expect(reported).toEqual([]);
      expect(standing.size).toBe(0);
    },
  );

  it.each(WIDGETS.flatMap((widget) => [[widget.id, widget, 'home'] as const, [widget.id, widget, 'list'] as const]))(
    'of %s is what the browser renders first (%#)',
    async (_, widget, kind) => {
      const page = (kind === 'home' ? { kind } : { kind, route: 'issues' }) as Bootstrap['page'];
      send(pageOf(nav, widget, 'en', { page }));
      const before = frame();
      await start();
      expect(frame()).toEqual(before);
      expect(reported).toEqual([]);
      expect(of('search', pageOf(nav, widget, 'en', { page })).ofPage).toBe(false);
    },
  );

  it('has the links and the form that readers without scripts need', () => {
    const { html } = of('header', pageOf(nav, one));
    const plain = document.createElement('div');
    plain.innerHTML = html.replace(/<\/?noscript>/g, '');
    const links = [...plain.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    for (const href of ['/zh/home/', '/ara/home/', '/en/issue/2026/3/', '/en/about/5/', 'https://submit.example/', '/login?lang=en&url=%2F'])
      expect(links).toContain(href);
    plain.innerHTML = of('search', pageOf(nav, one)).html;
    expect(plain.querySelector('form')?.getAttribute('action')).toBe('/en/search');
    const fields = Object.fromEntries(new FormData(plain.querySelector('form') as HTMLFormElement));
    expect(fields).toEqual({ type: 'article', field: '0', q: '' });
    expect(plain.querySelector('.search-hot a')?.getAttribute('href')).toBe('/en/search?q=mangrove&type=article');
  });

  it('escapes what comes from the configuration', () => {
    const hostile = '</script><script>alert(1)</script>"\'';
    const bootstrap = pageOf(nav, one);
    bootstrap.site.name = hostile;
    bootstrap.search.title = hostile;
    for (const slot of ['header', 'search', 'footer'] as const) expect(of(slot, bootstrap).html).not.toContain('<script');
  });

  it('is for all pages, unless a module reads what only this page has', () => {
    const article = pageOf(nav, one, 'en', { page: { kind: 'article', id: 7, doi: '', title: 'T', language: 'en', outline: [], citation: '' } });
    for (const slot of ['header', 'search', 'footer'] as const) expect(of(slot, article).ofPage).toBe(false);
    const reading = (read: (props: { path: string }) => string): UiModule => ({ ...nav, id: 'reading', Component: read as never });
    const asked = (module: UiModule) => {
      renderer.add(module);
      return of('header', { ...article, slots: { header: [ref(module)] } }, '/en/article/7');
    };
    expect(asked(reading(({ path }) => path))).toEqual({ html: '/en/article/7', ofPage: true });
    expect(asked(reading(() => 'the same'))).toEqual({ html: 'the same', ofPage: false });
  });

  it('needs every module, and nothing outside of the slot', () => {
    expect(() => of('header', { ...pageOf(nav, one), slots: { header: [{ ...ref(nav), module: 'absent' }] } })).toThrow('absent is not loaded');
  });
});

describe('taking the markup over', () => {
  it('keeps what was typed and where the cursor is', async () => {
    send(pageOf(nav, one));
    const input = document.querySelector('input[type=search]') as HTMLInputElement;
    input.focus();
    input.value = 'tidal energy';
    input.setSelectionRange(2, 5);
    await start();
    expect(document.querySelector('input[type=search]')).toBe(input);
    expect([input.value, input.selectionStart, input.selectionEnd]).toEqual(['tidal energy', 2, 5]);
    expect(document.activeElement).toBe(input);
    // The module knows the words too: rendering again does not take them away, and the search finds them.
    const [, figures] = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')];
    await act(async () => void figures?.click());
    expect(figures?.checked).toBe(true);
    expect(input.value).toBe('tidal energy');
    await act(async () => void fireEvent.submit(input.form as HTMLFormElement));
    expect(document.querySelector('[role=dialog]')).toBeNull();
  });

  it('keeps the scope that was chosen', async () => {
    send(pageOf(nav, bar));
    const select = document.querySelector('select') as HTMLSelectElement;
    select.value = 'table';
    await start();
    const input = document.querySelector('input[type=search]') as HTMLInputElement;
    await act(async () => void fireEvent.change(input, { target: { value: 'mud' } }));
    expect([select.isConnected, select.value]).toEqual([true, 'table']);
  });

  it('shows the words and the scope of a search', async () => {
    send(pageOf(nav, bar, 'en', { page: { kind: 'search', q: 'mud', total: 3, scope: 'table' } as Bootstrap['page'] }));
    const before = frame();
    expect(document.querySelector('input')?.value).toBe('mud');
    await start();
    expect(frame()).toEqual(before);
    expect([document.querySelector('input')?.value, document.querySelector('select')?.value]).toEqual(['mud', 'table']);
  });

  it('renders a slot again that differs, alone, and reports it', async () => {
    changed.how = 'other';
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    send(pageOf(nav, one));
    const [header, search, foot] = slots().map((slot) => slot.firstElementChild);
    await start();
    expect(slots()[0]?.textContent).toBe('other than on the host');
    expect([header?.isConnected, search?.isConnected, foot?.isConnected]).toEqual([false, true, true]);
    expect(reported.map(({ reason, module }) => [reason, module])).toEqual([['hydration', 'nav-default']]);
  });

  it.each(['late', 'missing'] as const)('leaves the markup as it is while modules are not there (%s)', async (how) => {
    changed.how = how;
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    send(pageOf(nav, one));
    const before = slots().map((slot) => slot.innerHTML);
    await start();
    expect(slots().map((slot) => slot.innerHTML)).toEqual(before);
    expect(standing.size).toBe(3);
    if (how === 'missing') return;
    await act(async () => changed.arrive());
    await waitFor(() => expect(standing.size).toBe(0));
    expect(reported).toEqual([]);
  });
});
