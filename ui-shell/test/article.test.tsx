import { loadOverlays } from '@masthead/ui-sdk/shell';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boot } from '../src/boot.tsx';
import { align, putBeside, translatedSections } from '../src/reader/align.ts';
import { Caption, countAbove, whatIsRead } from '../src/reader/Beside.tsx';
import { violations } from './axe.ts';
import { showDocument } from './fixture.ts';

/** What the host writes into the column beside an article. */
const CITATIONS = `<section class="aside-part aside-cite"><h2>Cite this article</h2>
  <details name="citation-style" data-citation-style="apa" open><summary>APA</summary><p class="citation-text" data-citation-text>Line in APA.</p></details>
  <details name="citation-style" data-citation-style="mla"><summary>MLA</summary><p class="citation-text" data-citation-text>Line in MLA.</p></details></section>
  <section class="aside-part aside-metrics"><h2>Metrics</h2><dl><div><dt>Views</dt><dd data-metric="visits">1</dd></div></dl></section>`;
const LANGUAGES =
  '<nav class="text-languages" data-text-languages aria-label="Languages of the text"><a href="#a-section-abstract" lang="en" data-text-language="en">English</a> <a href="#a-section-abstract-2" lang="zh" data-text-language="zh">中文</a></nav>';

/** Tools in chunks of their own. */
const LATER = ['Beside', 'Bilingual', 'GraphicAbstract'];

let root: Root | undefined;
const start = async () => {
  await act(async () => {
    root = await boot();
  });
  await screen.findByRole('toolbar');
};
/** The first sign of a reader, with which the tools come that nobody needs before. */
const begin = async () => {
  await act(async () => void window.dispatchEvent(new Event('pointermove')));
  // Their code has come, and they are shown.
  await act(async () => void (await Promise.all(LATER.map((name) => import(`../src/reader/${name}.tsx`)))));
};
const put = (html: string): HTMLElement => {
  document.body.innerHTML = html;
  return document.querySelector('article') as HTMLElement;
};

beforeEach(async () => {
  await loadOverlays();
  await Promise.all(['Reader', ...LATER].map((name) => import(`../src/reader/${name}.tsx`)));
  showDocument('article');
  const article = document.querySelector('article.reader') as HTMLElement;
  for (const old of article.querySelectorAll('.aside-part, .text-languages')) old.remove();
  article.querySelector('.reader-aside')?.insertAdjacentHTML('beforeend', CITATIONS);
  article.querySelector('.reader-grid')?.insertAdjacentHTML('beforebegin', LANGUAGES);
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('citations', () => {
  it('are offered in every style of the host, and copied', async () => {
    const user = userEvent.setup();
    await start();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Cite' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cite this article' });
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Citation style' }), 'MLA');
    expect(dialog.textContent).toContain('Line in MLA.');
    await user.click(within(dialog).getByRole('button', { name: 'Copy' }));
    expect(write.mock.calls).toEqual([['Line in MLA.']]);
  });

  it('come with the address of the article, which is copied, and a browser that refuses is reported', async () => {
    const user = userEvent.setup();
    await start();
    await user.click(screen.getByRole('button', { name: 'Cite' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cite this article' });
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('refused', 'NotAllowedError'));
    await user.click(within(dialog).getByRole('button', { name: 'Copy link' }));
    await waitFor(() => expect(document.querySelector('.toast[data-kind=failed]')?.textContent).toBe('Link copy failed'));
    write.mockResolvedValue();
    await user.click(within(dialog).getByRole('button', { name: 'Copy link' }));
    expect(await within(dialog).findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(write.mock.calls[1]?.[0]).toMatch(/^https:\/\/doi\.org\/10\.\d+\//);
    // Notices outlast the page of a test.
    for (const close of document.querySelectorAll('.toast-close')) await user.click(close);
  });

  it('have a button in the column that copies them, once the reader has begun to read', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
    const user = userEvent.setup();
    await start();
    expect(screen.queryByRole('button', { name: 'Copy: APA' })).toBeNull();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await act(async () => void window.dispatchEvent(new Event('scroll')));
    await user.click(await screen.findByRole('button', { name: 'Copy: APA' }));
    expect(write.mock.calls).toEqual([['Line in APA.']]);
    expect(document.querySelector('[data-metric]')?.textContent).toBe('1');
  });

  it('stand beside numbers that are brought up to date', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return new Response(JSON.stringify({ status: 0, message: '', data: { visits: 1234567, months: [] } }));
    });
    await start();
    expect(asked).toEqual([]);
    await act(async () => void window.dispatchEvent(new Event('scroll')));
    await waitFor(() => expect(document.querySelector('[data-metric="visits"]')?.textContent).toBe('1,234,567'));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('/rc-pub/front/front-article/getStatistics?id=');
  });
});

it('nobody who reads is sent to the sign-in for a number', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ status: 401, message: 'Please sign in again', data: null }), { status: 401 }));
  await start();
  await act(async () => void window.dispatchEvent(new Event('scroll')));
  await screen.findByRole('button', { name: 'Copy: APA' });
  await act(async () => void (await Promise.resolve()));
  expect(document.querySelector('.notices')?.textContent).toBe('');
  expect(document.querySelector('[data-metric]')?.textContent).toBe('1');
});

describe('references', () => {
  it('have two scholar searches, of which one is hidden until it is asked for', async () => {
    await start();
    await userEvent.click(document.querySelector('a.xref[data-ref-type="bibr"]') as Element);
    const popover = await screen.findByRole('dialog');
    // A range of three references.
    const hosts = () =>
      within(popover)
        .getAllByRole('link', { name: /Search in .* Scholar/ })
        .map((link) => new URL((link as HTMLAnchorElement).href).host);
    expect(hosts()).toEqual(Array(3).fill('scholar.google.com'));
    await userEvent.click(within(popover).getAllByRole('button', { name: 'Another search service' })[0] as HTMLElement);
    expect(hosts()).toEqual(['scholar.google.com', 'xueshu.baidu.com', 'scholar.google.com', 'scholar.google.com']);
  });
});

describe('the graphical abstract', () => {
  it('opens in a dialog of its own, closes, and gives the focus back', async () => {
    await start();
    await begin();
    const section = document.querySelector('[data-kind="graphic-abstract"]') as HTMLElement;
    const button = within(section).getByRole('button');
    await userEvent.click(button);
    const dialog = await screen.findByRole('dialog', { name: 'Graphical abstract' });
    expect(dialog.className).toContain('graphic-dialog');
    expect(dialog.querySelector('img')?.src).toBe(section.querySelector('img')?.src);
    expect(location.hash, 'the viewer of the figures stays closed').toBe('');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(button);
  });
});

const BILINGUAL = `<article class="reader" lang="zh">
  <nav class="reader-outline" data-outline><ol><li><a href="#a-section-abstract-2">Abstract</a></li><li><a href="#a-s1">Tides</a></li></ol></nav>
  <div class="reader-body" data-body>
  <section class="reader-section" data-section="abstract" data-kind="abstract" lang="zh" id="a-section-abstract"><h2>摘要</h2><p>潮一。</p></section>
  <section class="reader-section" data-section="abstract" data-kind="abstract" lang="en" id="a-section-abstract-2"><h2>Abstract</h2><p>Tide one.</p></section>
  <section class="reader-section" data-section="body" data-kind="body" id="a-section-body">
    <section id="a-sec1"><h2>引言</h2><p>甲。</p><figure class="fig" data-fig="a-f1" id="a-f1"><img alt=""><figcaption><p>图一</p></figcaption></figure><p>乙。</p></section>
    <section id="a-sec2"><h2>方法</h2><p>丙。</p></section>
  </section>
  <section class="reader-section" data-section="sub-article" data-kind="sub-article" lang="en" id="a-s1"><h2>Tides</h2><p class="sub-authors" data-own="">Wang</p>
    <section id="a-sec2-en"><h3>Methods</h3><p>C, see <a class="xref" data-ref-type="fig" href="#a-f1-en">Figure 1</a>.</p><p>D, new.</p></section>
    <section id="a-sec1-en"><h3>Introduction</h3><p>A.</p><figure class="fig" data-fig="a-f1-en" id="a-f1-en"><img alt=""><figcaption><p>Figure one</p></figcaption></figure><p>B.</p></section>
  </section></div></article>`;

it('the place where the reader was is named in its language, apart from the words around it', async () => {
  localStorage.setItem('masthead.places', JSON.stringify({ '448/64': 'a-tr-zh' }));
  await start();
  const button = await screen.findByRole('button', { name: /^Continue at:\s+几个浮标才够/ });
  expect([...button.querySelectorAll('bdi')].map(({ lang, textContent }) => [lang, textContent])).toEqual([
    ['zh', '几个浮标才够？固定预算下稀疏波浪观测网的设计'],
  ]);
  localStorage.clear();
});

describe('two languages', () => {
  const texts = (article: HTMLElement) =>
    [...article.querySelectorAll('.aligned')].map((copy) => `${copy.previousElementSibling?.textContent} | ${copy.textContent}`);

  it('stand side by side by the ids of sections and the order of paragraphs', () => {
    const article = put(BILINGUAL);
    const before = article.innerHTML;
    const undo = putBeside(article, 'en', 'ltr');
    expect(texts(article)).toEqual([
      '摘要 | Abstract',
      '潮一。 | Tide one.',
      '引言 | Introduction',
      '甲。 | A.',
      '图一 | Figure one',
      '乙。 | B.',
      '方法 | Methods',
      '丙。 | C, see Figure 1.',
      'C, see Figure 1. | D, new.',
    ]);
    const copies = [...article.querySelectorAll<HTMLElement>('.aligned')];
    expect(copies.every((copy) => copy.lang === 'en' && copy.dir === 'ltr' && !copy.id)).toBe(true);
    expect(article.querySelector('.aligned a')?.getAttribute('href'), 'links lead to the figure that is shown').toBe('#a-f1');
    const levels = ['h2', 'h3'].map((level) => article.querySelectorAll(`[data-section="body"] ${level}.aligned`).length);
    expect(levels, 'headings have the level of their partners').toEqual([2, 0]);
    // What stands beside the original is not shown behind it again.
    expect([...article.querySelectorAll('.is-beside')].map((element) => element.id || element.textContent)).toEqual([
      'Abstract',
      'Tides',
      'a-section-abstract-2',
      'a-s1',
    ]);
    undo();
    expect(article.innerHTML.replaceAll(' class=""', '')).toBe(before);
  });

  it('keep what has no partner, and pair nothing with nothing', () => {
    const article = put(
      '<article class="reader" lang="zh"><section class="reader-section" data-section="body" data-kind="body"></section><section class="reader-section" data-section="sub-article" data-kind="sub-article" lang="en"><h2>T</h2><p>x</p></section></article>',
    );
    expect(translatedSections(article, 'en')).toHaveLength(1);
    expect(translatedSections(article, 'fr')).toEqual([]);
    const [body, translation] = [...article.querySelectorAll<HTMLElement>('section')] as [HTMLElement, HTMLElement];
    expect(align(body, translation)).toEqual([]);
    expect(putBeside(article, 'en', 'ltr')).toBeTypeOf('function');
  });

  it('are chosen by the links of the host and by a button, and go again', async () => {
    const chinese =
      '<section class="reader-section" data-section="abstract" data-kind="abstract" lang="zh" id="a-section-abstract-9"><h2>摘要</h2><p>波浪。</p></section>';
    for (const old of document.querySelectorAll('.reader-section[data-kind="abstract"][lang="zh"]')) old.remove();
    document.querySelector('.reader-body')?.insertAdjacentHTML('afterbegin', chinese);
    await start();
    expect(screen.queryByRole('button', { name: 'Side by side' })).toBeNull();
    await begin();
    const article = document.querySelector<HTMLElement>('article.reader') as HTMLElement;
    const button = await screen.findByRole('button', { name: 'Side by side' });
    const nav = screen.getByRole('navigation', { name: 'Languages of the text' });
    expect(within(nav).getByRole('link', { current: true }).textContent).toBe('English');
    await userEvent.click(button);
    expect([article.dataset['view'], button.getAttribute('aria-pressed')]).toEqual(['both', 'true']);
    expect(article.querySelector('#a-section-abstract .aligned:not(h2)')?.textContent).toBe('波浪。');
    expect(await violations(document.querySelector('main') as Element)).toEqual([]);
    await userEvent.click(within(nav).getByRole('link', { name: '中文' }));
    expect([article.dataset['view'], button.getAttribute('aria-pressed')]).toEqual(['translation', 'false']);
    expect(within(nav).getByRole('link', { current: true }).textContent).toBe('中文');
    await userEvent.click(within(nav).getByRole('link', { name: 'English' }));
    expect(article.dataset['view']).toBeUndefined();
    expect(article.querySelector('.aligned')).toBeNull();
  });
});

describe('the column', () => {
  const at = (element: Element, top: number, height = 20) =>
    vi.spyOn(element, 'getBoundingClientRect').mockReturnValue({ top, bottom: top + height } as DOMRect);

  it('counts what begins above a line without looking at all of it', () => {
    const looked = { count: 0 };
    const elements = Array.from({ length: 3000 }, (_, index) => ({
      getBoundingClientRect: () => {
        looked.count += 1;
        return { top: index * 10 };
      },
    })) as unknown as Element[];
    expect([countAbove(elements, -1), countAbove(elements, 0), countAbove(elements, 255), countAbove(elements, 1e9), countAbove([], 0)]).toEqual([
      0, 1, 26, 3000, 0,
    ]);
    expect(looked.count).toBeLessThan(60);
  });

  it('shows the figure of the section that is read unless it is in view, and the notes of the text in view', () => {
    const article = put(`<article class="reader"><div class="reader-body" data-body><section class="reader-section" data-section="body" data-kind="body" id="b">
      <section id="one"><p>x<a class="xref" data-ref-type="fn" href="#n1">1</a></p><figure class="fig" data-fig="f" id="f"><img alt=""></figure></section>
      <section id="two"><p>y<a class="xref" data-ref-type="fig" href="#f">Fig</a><a class="xref" data-ref-type="fn" href="#n2">2</a></p></section></section>
      <section class="reader-section" data-section="footnotes" data-kind="footnotes"><ul><li class="footnote" id="n1">first</li><li class="footnote" id="n2">second</li></ul></section></div></article>`);
    const element = (id: string) => document.getElementById(id) as HTMLElement;
    const marker = (id: string) => article.querySelector(`a[href="#${id}"]`) as Element;
    at(element('b'), -900);
    at(element('one'), -900);
    at(element('two'), 10);
    at(marker('n1'), -500);
    at(marker('n2'), 20);
    const figure = at(element('f'), -400, 100);
    const seen = whatIsRead(article);
    expect(seen()).toEqual({ figure: element('f'), notes: [element('n2')] });
    figure.mockReturnValue({ top: 50, bottom: 150 } as DOMRect);
    expect(seen().figure).toBeUndefined();
  });

  it('says under a figure what is printed of it, in the language of the article', () => {
    put(`<article class="reader" lang="en"><figure data-fig="f"><figcaption><span data-label>Figure 1</span><p data-caption-title>Gauges.</p></figcaption></figure>
      <figure data-fig="g"><figcaption><span data-label>Figure 2</span></figcaption></figure><figure data-fig="h"></figure></article>`);
    const captions = [...document.querySelectorAll('figure')].map((figure) => render(<Caption figure={figure} name="شكل" />).container.innerHTML);
    expect(captions).toEqual(['<p><bdi lang="en">Gauges.</bdi></p>', '<p><bdi lang="en">Figure 2</bdi></p>', '<p>شكل</p>']);
  });
});
