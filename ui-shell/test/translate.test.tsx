import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boot } from '../src/boot.tsx';
import { headingsOf, paragraphsOf, textsOf } from '../src/reader/sections.ts';
import { violations } from './axe.ts';
import { showDocument } from './fixture.ts';

let root: Root | undefined;
const asked: { url: string; body: { from: string; to: string; salt: number; q: string } }[] = [];
const answer = { current: (_to: string, _q: string): unknown => undefined };
const good = (to: string, q: string) => ({
  status: 0,
  message: '',
  data: { from: 'en', trans_result: q.split('\n').map((src, line) => ({ src, dst: `${to} ${line}` })) },
});

async function start(lang: 'en' | 'zh', plugins = true) {
  showDocument(plugins ? (lang === 'zh' ? 'plugins-article.zh' : 'plugins-article') : 'article');
  await act(async () => {
    root = await boot();
  });
  await screen.findByRole('toolbar');
}
const sectionOf = (id: string) => document.getElementById(id) as HTMLElement;
const opener = async (id: string) => {
  await waitFor(() => expect(sectionOf(id).querySelector('.translate-tools button')).toBeTruthy());
  return sectionOf(id).querySelector('.translate-tools button') as HTMLButtonElement;
};

beforeEach(async () => {
  await import('../src/reader/Reader.tsx');
  await import('../src/reader/Translate.tsx');
  asked.length = 0;
  answer.current = good;
  vi.stubGlobal('fetch', async (url: string, init: { body: string }) => {
    const body = JSON.parse(init.body) as (typeof asked)[number]['body'];
    asked.push({ url, body });
    const envelope = await answer.current(body.to, body.q);
    return envelope instanceof Response ? envelope : new Response(JSON.stringify(envelope));
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(async () => {
  await act(async () => root?.unmount());
  vi.unstubAllGlobals();
});

describe('the text of a section', () => {
  const put = (html: string) => {
    document.body.innerHTML = `<article data-article="1"><div data-body>${html}</div></article>`;
    return headingsOf(document.querySelector('article') as HTMLElement);
  };
  it('is its own paragraphs, without figures, tables, formulas and the sections within', () => {
    const headings = put(
      '<section data-section="body"><section id="a"><h2>A</h2><p>One <em>word</em>\n<math><mi>x</mi><annotation>\\x</annotation></math>.</p><ul><li>two<ul><li>three</li></ul></li></ul><figure data-fig="f">no</figure><div data-table-box>no</div><div data-formula>no</div><section><h3>B</h3><p>four</p></section><section><p>five</p></section></section><section><h2>C</h2><section><h3>D</h3></section></section></section>',
    );
    expect(headings.map((heading) => heading.textContent)).toEqual(['A', 'B']);
    expect(headings.map(paragraphsOf)).toEqual([['One word x.', 'two', 'three', 'five'], ['four']]);
  });
  it('is all of an abstract', () => {
    const headings = put(
      '<section data-section="abstract"><h2>Abstract</h2><section><h3>Aim</h3><p>one</p></section><p>two</p></section><section data-section="funding"><h2>Funding</h2><p>no</p></section>',
    );
    expect(headings.map(paragraphsOf)).toEqual([['Aim', 'one', 'two']]);
  });
  it('goes out in pieces that a gateway takes', () => {
    expect(textsOf(['aa', 'bb', 'cc'], 5)).toEqual(['aa\nbb', 'cc']);
    expect(textsOf(['One two. Three four. Five.'], 18)).toEqual(['One two.', 'Three four. Five.']);
    expect(textsOf(['一二三。四五六。'], 5)).toEqual(['一二三。', '四五六。']);
    expect(textsOf(['x'.repeat(12)], 5)).toEqual(['xxxxx', 'xxxxx', 'xx']);
  });
});

describe('translation', () => {
  it('stays away where it is off', async () => {
    await start('en', false);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(document.querySelector('.translate')).toBeNull();
  });

  it('opens under the heading, says that it works, shows a labelled result in its language', async () => {
    let release: (value: unknown) => void = () => undefined;
    answer.current = (to, q) => new Promise((resolve) => (release = () => resolve(good(to, q))));
    await start('en');
    const button = await opener('a-sec-intro');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(button.getAttribute('aria-label')).toBe('Translate: 1 Introduction');
    expect(asked).toEqual([]);
    await userEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getAllByRole('status').some((region) => region.textContent === 'AI is generating…')).toBe(true);
    expect(asked.map(({ url }) => url)).toEqual(['/rc-pub/front/front-article/translate/getAiTranslateResult']);
    expect(asked[0]?.body).toMatchObject({ from: 'auto', to: 'zh' });
    expect(asked[0]?.body.salt).toBeGreaterThan(1e12);
    expect(asked[0]?.body.q.split('\n')).toHaveLength(6);
    await act(async () => release(undefined));
    const panel = await screen.findByRole('group', { name: 'Translate: 1 Introduction' });
    const text = within(panel).getByText('zh 0').parentElement as HTMLElement;
    expect([text.lang, text.dir]).toEqual(['zh', 'ltr']);
    expect(within(panel).getByText('Machine translation')).toBeTruthy();
    expect(screen.getAllByRole('status').some((region) => region.textContent === 'Translated: 中文')).toBe(true);
    expect(await violations(document.querySelector('main') as Element)).toEqual([]);
  });

  it('changes the language, asks once for each, and keeps the choice for the next section', async () => {
    await start('en');
    await userEvent.click(await opener('a-section-abstract'));
    await within(sectionOf('a-section-abstract')).findByText('zh 0');
    const choice = within(sectionOf('a-section-abstract')).getByRole('combobox', { name: 'Translate into' });
    expect([...choice.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
      '中文',
      'English',
      'Русский',
      'العربية',
      'Français',
      'Español',
      'Deutsch',
    ]);
    await userEvent.selectOptions(choice, 'ara');
    const text = (await within(sectionOf('a-section-abstract')).findByText('ara 0')).parentElement as HTMLElement;
    expect([text.lang, text.dir]).toEqual(['ar', 'rtl']);
    await userEvent.selectOptions(choice, 'zh');
    await within(sectionOf('a-section-abstract')).findByText('zh 0');
    expect(asked.map(({ body }) => body.to)).toEqual(['zh', 'ara']);
    await userEvent.click(await opener('a-sec-sound'));
    await within(sectionOf('a-sec-sound')).findByText('zh 0');
    expect(asked).toHaveLength(3);
  });

  it('offers English for Chinese text', async () => {
    await start('zh');
    await userEvent.click(await opener('a-section-abstract'));
    await within(sectionOf('a-section-abstract')).findByText('en 0');
  });

  it('closes by its button and by Escape, and gives the focus back', async () => {
    await start('en');
    const button = await opener('a-section-abstract');
    await userEvent.click(button);
    const panel = within(sectionOf('a-section-abstract'));
    await userEvent.click(panel.getByRole('button', { name: 'Close' }));
    expect(document.activeElement).toBe(button);
    await userEvent.click(button);
    panel.getByRole('combobox').focus();
    await userEvent.keyboard('{Escape}');
    expect(panel.queryByRole('combobox')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('copies what it shows', async () => {
    await start('en');
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(await opener('a-sec-intro'));
    await user.click(await within(sectionOf('a-sec-intro')).findByRole('button', { name: 'Copy' }));
    expect(write.mock.calls[0]?.[0]).toBe('zh 0\n\nzh 1\n\nzh 2\n\nzh 3\n\nzh 4\n\nzh 5');
  });

  it.each([
    ['an unknown user', { status: 0, data: { error_code: '52003' }, message: '' }, 'This user is not authorized to translate.', false],
    ['an unknown user in a failed envelope', { status: 500, data: { error_code: '52003' }, message: 'x' }, 'This user is not authorized to translate.', false],
    ['another error', { status: 0, data: { error_code: '54001' }, message: '' }, 'The request timed out. Please try again.', true],
    ['no answer', new Error('offline'), 'The request timed out. Please try again.', true],
  ] as const)('tells %s', async (_, result, message, again) => {
    answer.current = () => (result instanceof Error ? Promise.reject(result) : result);
    await start('en');
    await userEvent.click(await opener('a-section-abstract'));
    const panel = within(sectionOf('a-section-abstract'));
    await panel.findByText(message);
    expect(panel.queryByRole('button', { name: 'Try again' }) !== null).toBe(again);
    if (!again) return;
    answer.current = good;
    await userEvent.click(panel.getByRole('button', { name: 'Try again' }));
    await panel.findByText('zh 0');
  });
});
