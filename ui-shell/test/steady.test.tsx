import { loadOverlays } from '@masthead/ui-sdk/shell';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { optional } from '../src/slots/optional.tsx';
import { addressOf, muteConsole, pageOf, showDocument } from './fixture.ts';

/** The component that is to throw, and when: in its first render, or in the next one after it was asked. */
const broken = vi.hoisted(() => ({ name: '', now: true, again: () => undefined as void }));
const breakable = vi.hoisted(() => async (path: string, name: string, load: () => Promise<Record<string, unknown>>) => {
  const { createElement, useState } = await import('react');
  const real = await load();
  const Real = real[name] as React.FunctionComponent;
  const Breakable = (props: object) => {
    const [, render] = useState(0);
    if (broken.name === path) {
      if (broken.now) throw new Error(`${path} broke`);
      broken.again = () => {
        broken.now = true;
        render((times) => times + 1);
      };
    }
    return createElement(Real, props);
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
vi.mock('../src/page/BackToTop.tsx', (load) => breakable('BackToTop', 'BackToTop', load as never));

const { boot } = await import('../src/boot.tsx');
const { standing } = await import('../src/slots/SlotView.tsx');
const { forgetMemory } = await import('../src/browser/storage.ts');

let root: Root | undefined;
const start = async (name: string) => {
  showDocument(name);
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
  broken.name = '';
  broken.now = true;
  localStorage.clear();
  sessionStorage.clear();
  forgetMemory();
  muteConsole();
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  standing.clear();
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
  const TOOLS = ['Toolbar', 'Outline', 'CompactBar', 'Xrefs', 'FigureViewer', 'Tables', 'Formulas'];
  const marks: Record<string, string> = {
    Toolbar: '.toolbar',
    Outline: '.outline-toggle',
    FigureViewer: '.fig-open',
    Tables: '.table-tools button',
    Formulas: '.formula-tools button',
  };
  it.each(TOOLS)('is left out, and the article and the other tools stay (%s)', async (name) => {
    broken.name = name;
    await start('article');
    await screen.findByRole('article');
    await act(async () => void window.dispatchEvent(new Event('scroll')));
    await waitFor(() => expect(vi.mocked(console.warn).mock.calls.flat().map(String)).toContain(`Error: ${name} broke`));
    const others = Object.entries(marks).filter(([tool]) => tool !== name);
    await waitFor(() => expect(others.filter(([, mark]) => !document.querySelector(mark))).toEqual([]));
    expect(marks[name] && document.querySelector(marks[name])).toBeFalsy();
    expect(text()).toContain('How few buoys are enough');
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
