import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadOverlays } from '@masthead/ui-sdk/shell';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { optional } from '../src/slots/optional.tsx';
import { addressOf, muteConsole, pageOf, showDocument } from './fixture.ts';

/**
 * The component that is to throw, and where: in its first render (`now`) or in the next one after it was asked, in its effect, or before such a render
 * in the handler of an event, that of the button `.broken`.
 */
const broken = vi.hoisted(() => ({ name: '', where: 'render', now: true, again: () => undefined as void }));
const breakable = vi.hoisted(() => async (path: string, name: string, load: () => Promise<Record<string, unknown>>) => {
  const { createElement, Fragment, useEffect, useState } = await import('react');
  const real = await load();
  const Real = real[name] as React.FunctionComponent;
  const fail = () => {
    throw new Error(`${path} broke`);
  };
  const Breakable = (props: object) => {
    const [, render] = useState(0);
    const where = broken.name === path ? broken.where : '';
    useEffect(() => {
      if (where === 'effect') fail();
    }, [where]);
    if (where === 'render' || where === 'handler') {
      if (broken.now) fail();
      broken.again = () => {
        broken.now = true;
        render((times) => times + 1);
      };
    }
    const tool = createElement(Real, props);
    return where === 'handler' ? createElement(Fragment, null, tool, createElement('button', { className: 'broken', onClick: fail })) : tool;
  };
  return { ...real, [name]: Breakable };
});
vi.mock('../src/reader/Toolbar.tsx', (load) => breakable('Toolbar', 'Toolbar', load as never));
vi.mock('../src/reader/Outline.tsx', (load) => breakable('Outline', 'Outline', load as never));
vi.mock('../src/reader/CompactBar.tsx', (load) => breakable('CompactBar', 'default', load as never));
vi.mock('../src/reader/Xrefs.tsx', (load) => breakable('Xrefs', 'Xrefs', load as never));
vi.mock('../src/reader/FigureViewer.tsx', (load) => breakable('FigureViewer', 'FigureViewer', load as never));
vi.mock('../src/reader/Tables.tsx', (load) => breakable('Tables', 'default', load as never));
vi.mock('../src/reader/Formulas.tsx', (load) => breakable('Formulas', 'Formulas', load as never));
vi.mock('../src/reader/Beside.tsx', (load) => breakable('Beside', 'default', load as never));
vi.mock('../src/reader/Bilingual.tsx', (load) => breakable('Bilingual', 'default', load as never));
vi.mock('../src/reader/CommentForm.tsx', (load) => breakable('CommentForm', 'default', load as never));
vi.mock('../src/reader/Comments.tsx', (load) => breakable('Comments', 'default', load as never));
vi.mock('../src/reader/GraphicAbstract.tsx', (load) => breakable('GraphicAbstract', 'default', load as never));
vi.mock('../src/reader/Translate.tsx', (load) => breakable('Translate', 'default', load as never));
vi.mock('../src/reader/CitedIn.tsx', (load) => breakable('CitedIn', 'default', load as never));
vi.mock('../src/reader/Cite.tsx', (load) => breakable('Cite', 'Cite', load as never));
vi.mock('../src/page/BackToTop.tsx', (load) => breakable('BackToTop', 'BackToTop', load as never));

const { boot } = await import('../src/boot.tsx');
const { standing } = await import('../src/slots/SlotView.tsx');
const { forgetMemory } = await import('../src/browser/storage.ts');

let root: Root | undefined;
const start = async (name: string, prepare?: () => void) => {
  showDocument(name);
  prepare?.();
  const sent = { main: document.querySelector('main')?.innerHTML, body: document.body.innerHTML };
  await act(async () => {
    root = await boot();
  });
  return sent;
};
const text = () => document.querySelector('main')?.textContent ?? '';

beforeEach(async () => {
  await loadOverlays();
  await import('../src/reader/Reader.tsx');
  Object.assign(broken, { name: '', where: 'render', now: true });
  localStorage.clear();
  sessionStorage.clear();
  forgetMemory();
  muteConsole();
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  standing.clear();
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('storage that throws', () => {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  it.each([
    ['on access', () => [vi.spyOn(window, 'localStorage', 'get'), vi.spyOn(window, 'sessionStorage', 'get')]],
    ['on writing', () => [vi.spyOn(Storage.prototype, 'setItem')]],
    ['on access to cookies', () => [vi.spyOn(document, 'cookie', 'set')]],
  ])('%s costs what would be kept, not the article and not its tools', async (_, spies) => {
    for (const spy of spies()) (spy as ReturnType<typeof vi.fn>).mockImplementation(refuse);
    await start('article');
    await screen.findByRole('toolbar');
    expect(text()).toContain('How few buoys are enough');
    await userEvent.click(screen.getByRole('button', { name: 'Larger text' }));
    expect(document.querySelector('article')?.dataset['size']).toBe('1');
    await userEvent.click(screen.getByRole('button', { name: 'Outline' }));
    expect(screen.getByRole('button', { name: 'Outline' }).getAttribute('aria-expanded')).toBe('true');
    await userEvent.click(screen.getByRole('button', { name: 'Dark mode' }));
    delete document.documentElement.dataset['theme'];
  });
});

describe('a tool that fails', () => {
  /** The tools of the reader, by the names of their files, and by what one sees that they are there. */
  const MARKS: Record<string, string> = {
    Toolbar: '.toolbar',
    Outline: '.outline-toggle',
    Xrefs: '',
    FigureViewer: '[data-fig] .fig-open',
    Formulas: '.formula-tools button',
    Beside: '.cite-copy button',
    Bilingual: '.side-by-side',
    CommentForm: '[data-comment-form] [type=submit]:not([disabled])',
    Comments: '[data-comments-more]:not([hidden])',
    CompactBar: '.compact-bar',
    GraphicAbstract: '[data-section="graphic-abstract"] p .fig-open',
    Tables: '.table-tools button',
    Translate: '.translate-tools button',
  };
  const TOOLS = Object.keys(MARKS);
  /** What is part of another tool. */
  const INSIDE: Record<string, string> = { TableSizes: '[data-table-box].is-wide', CitedIn: '.ref-cited' };
  const PART_OF: Record<string, string> = { TableSizes: 'Tables', CitedIn: 'Xrefs' };

  /** Adds what the article of the demo lacks for some of the tools; a test has no layout, in which a table would be too wide. */
  function completeArticle(): void {
    const add = (place: string, html: string) => document.querySelector(place)?.insertAdjacentHTML('beforeend', html);
    add('#comments', '<ul data-comments-list><li>Comment 9.</li></ul><button type="button" data-comments-more="9" hidden>Show more</button>');
    add('#comments', '<form data-comment-form method="post"><textarea name="text"></textarea><button type="submit" disabled>Send</button></form>');
    add('[data-section="graphic-abstract"]', '<p><img src="/media/448/waves.svg" alt="Waves at a glance"></p>');
    const block = document.querySelector('body > script#bootstrap') as HTMLElement;
    block.textContent = (block.textContent ?? '').replace('"translate":[]', '"translate":["zh"]');
    Object.defineProperty(document.querySelector('[data-table-box]') as Element, 'scrollWidth', {
      get: () => {
        if (broken.name === 'TableSizes' && broken.now) throw new Error('TableSizes broke');
        return 900;
      },
    });
  }
  /** Opens the article and reads in it, with which all tools come. */
  const read = async () => {
    await start('article', completeArticle);
    await screen.findByRole('article');
    Object.defineProperty(window, 'scrollY', { value: 900, configurable: true });
    await act(async () => void window.dispatchEvent(new Event('scroll')));
  };
  const warnings = () => vi.mocked(console.warn).mock.calls.flat().map(String);
  const markOf = (name: string) => MARKS[name] || INSIDE[name];
  const isThere = (name: string) => Boolean(markOf(name) && document.querySelector(markOf(name) as string));
  /** The tools that are missing, except for one and what is part of it. */
  const missing = (except = '') =>
    [...TOOLS, ...Object.keys(INSIDE)].filter((name) => name !== except && PART_OF[name] !== except && markOf(name) && !isThere(name));
  /** What the window is told while something is done: nothing catches what a handler throws. */
  const reportedBy = async (work: () => Promise<void>): Promise<string[]> => {
    const reported: string[] = [];
    const listen = (event: ErrorEvent) => {
      event.preventDefault();
      reported.push((event.error as Error).message);
    };
    window.addEventListener('error', listen);
    await work().finally(() => window.removeEventListener('error', listen));
    return reported;
  };
  const assertLeftOut = async (name: string) => {
    await waitFor(() => expect(warnings()).toContain(`Error: ${name} broke`));
    await waitFor(() => expect(missing(name)).toEqual([]));
    expect(isThere(name)).toBe(false);
    expect(text()).toContain('How few buoys are enough');
  };

  it('is one of those that these tests break, which are all', () => {
    const source = readFileSync(path.resolve(import.meta.dirname, '../src/reader/Reader.tsx'), 'utf8');
    const files = [...source.matchAll(/'\.\/(\w+)\.tsx'/g)].map(([, file]) => file);
    expect(files.sort()).toEqual([...TOOLS].sort());
    const drawn = [...source.matchAll(/^function (\w+)\(/gm)].map(([, name]) => name);
    expect(drawn.filter((name) => !/^(Tool|use\w+)$/.test(name ?? ''))).toEqual([]);
  });

  it.each([...TOOLS, 'CitedIn'])('in its first render is left out, and the article and the other tools stay (%s)', async (name) => {
    broken.name = name;
    await read();
    await assertLeftOut(name);
  });

  it.each([...TOOLS, 'CitedIn'])('in its effect is left out, and the article and the other tools stay (%s)', async (name) => {
    Object.assign(broken, { name, where: 'effect' });
    await read();
    await assertLeftOut(name);
  });

  it.each([...TOOLS, 'CitedIn'])('in the handler of an event stays, and in a later render is left out with what it has added (%s)', async (name) => {
    Object.assign(broken, { name, where: 'handler', now: false });
    await read();
    await waitFor(() => expect(missing()).toEqual([]));
    expect(await reportedBy(() => userEvent.click(document.querySelector('.broken') as Element))).toEqual([`${name} broke`]);
    expect([missing(), warnings().filter((warning) => warning.includes('broke'))]).toEqual([[], []]);
    expect(text()).toContain('How few buoys are enough');
    await act(async () => broken.again());
    await assertLeftOut(name);
  });

  it('in the handler of an event stays, as do the article and the other tools (TableSizes)', async () => {
    Object.assign(broken, { name: 'TableSizes', now: false });
    await read();
    await waitFor(() => expect(missing()).toEqual([]));
    broken.now = true;
    expect(await reportedBy(async () => void window.dispatchEvent(new Event('resize')))).toEqual(['TableSizes broke']);
    expect(missing()).toEqual([]);
    expect(text()).toContain('How few buoys are enough');
  });

  it('in the dialog of the citation takes its button along, and nothing else of the toolbar', async () => {
    broken.name = 'Cite';
    await start('article');
    await userEvent.click(await screen.findByRole('button', { name: 'Cite' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cite' })).toBeNull());
    expect(warnings()).toContain('Error: Cite broke');
    expect(screen.getByRole('button', { name: 'Larger text' })).toBeTruthy();
  });

  it('leaves nothing of itself in the article', async () => {
    broken.name = 'FigureViewer';
    broken.now = false;
    await start('article');
    await waitFor(() => expect(document.querySelector('.fig-open')).toBeTruthy());
    await act(async () => broken.again());
    expect(document.querySelector('.fig-open, .fig-tools, [data-opens]')).toBeNull();
    expect(screen.getByRole('toolbar')).toBeTruthy();
  });
});

describe('a shell that fails', () => {
  it('gives the document back as the host sent it, in its first render', async () => {
    broken.name = 'BackToTop';
    const main = () => document.querySelector('main') as HTMLElement;
    const sent = await start('article');
    expect(document.body.innerHTML).toBe(sent.body);
    // Links are the browser's again.
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0 });
    const link = document.createElement('a');
    link.href = '/en/issue';
    main().append(link);
    document.addEventListener('click', (event) => (expect(event.defaultPrevented).toBe(false), event.preventDefault()), { once: true });
    link.dispatchEvent(click);
  });

  it('gives the document back later, without what its tools had added', async () => {
    broken.name = 'BackToTop';
    broken.now = false;
    const sent = await start('article');
    await screen.findByRole('toolbar');
    await waitFor(() => expect(document.querySelector('.fig-open')).toBeTruthy());
    await act(async () => broken.again());
    expect(document.body.innerHTML).toBe(sent.body);
    expect(document.documentElement.hasAttribute('data-bar')).toBe(false);
  });

  it('gives back the page that was shown, of the site that was left', async () => {
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ status: 0, message: '', data: pageOf('article') })));
    broken.name = 'BackToTop';
    broken.now = false;
    await start('issue');
    await userEvent.click(document.querySelector('.card-title a') as Element);
    await screen.findByRole('toolbar');
    await act(async () => broken.again());
    expect(location.pathname).toBe(addressOf('article'));
    const probe = document.createElement('main');
    probe.innerHTML = pageOf('article').html;
    expect(document.querySelector('main')?.innerHTML).toBe(probe.innerHTML);
    expect(document.querySelectorAll('[data-slot=header], [data-slot=footer]')).toHaveLength(2);
  });
});

it('a part that cannot be loaded is left out, and loaded again by the next page', async () => {
  let works = false;
  const Part = optional(async () => {
    if (!works) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: () => <p>part</p> };
  });
  const view = (key: string) => (
    <>
      <p>rest</p>
      <Part key={key} />
    </>
  );
  const { rerender } = render(view('a'));
  await waitFor(() => expect(console.warn).toHaveBeenCalled());
  expect(screen.getByText('rest')).toBeTruthy();
  expect(screen.queryByText('part')).toBeNull();
  works = true;
  rerender(view('b'));
  expect(await screen.findByText('part')).toBeTruthy();
});
