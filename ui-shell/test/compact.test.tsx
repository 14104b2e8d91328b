import { loadOverlays } from '@masthead/ui-sdk/shell';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boot } from '../src/boot.tsx';
import { forgetMemory } from '../src/browser/storage.ts';
import { violations } from './axe.ts';
import { showDocument } from './fixture.ts';

let root: Root | undefined;
const scrollTo = async (y: number) => {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  await act(async () => {
    window.dispatchEvent(new Event('scroll'));
    // The bar looks with the next frame.
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
};
/** Scrolls until the bar is there, whose code comes with the first scrolling. */
const scrollDown = async () => {
  await scrollTo(400);
  await screen.findByRole('region', { name: 'Article tools' });
};
const bar = () => screen.queryByRole('region', { name: 'Article tools' });
const shown = () => bar() as HTMLElement;

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  forgetMemory();
  await loadOverlays();
  await import('../src/reader/Reader.tsx');
  await import('../src/reader/CompactBar.tsx');
  showDocument('article');
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
  await act(async () => {
    root = await boot();
  });
  await screen.findByRole('toolbar');
});
afterEach(async () => {
  await act(async () => root?.unmount());
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
});

describe('the bar of an article', () => {
  it('is there from 300 px on, before the article in the order of the focus', async () => {
    await scrollTo(300);
    expect(bar()).toBeNull();
    await scrollTo(301);
    await screen.findByRole('region', { name: 'Article tools' });
    expect(within(shown()).getByText(/How few buoys are enough/)).toBeTruthy();
    expect(shown().compareDocumentPosition(document.querySelector('main') as Element) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(document.documentElement.hasAttribute('data-bar')).toBe(true);
    expect(await violations(shown())).toEqual([]);
    await scrollTo(0);
    expect(bar()).toBeNull();
    expect(document.documentElement.hasAttribute('data-bar')).toBe(false);
  });

  it('stays while it has the focus', async () => {
    await scrollDown();
    within(shown()).getByRole('button', { name: 'Larger text' }).focus();
    await scrollTo(0);
    expect(bar()).toBeTruthy();
  });

  it('says how much is read', async () => {
    await scrollDown();
    const body = document.querySelector<HTMLElement>('[data-body]') as HTMLElement;
    const at = async (top: number) => {
      body.getBoundingClientRect = () => ({ top, height: innerHeight + 1000 }) as DOMRect;
      await scrollTo(400 - top);
      return within(shown()).getByRole('progressbar', { name: 'Reading progress' }).getAttribute('aria-valuenow');
    };
    expect([await at(50), await at(-250), await at(-1000), await at(-1200)]).toEqual(['0', '25', '100', '100']);
  });

  it('changes the text size as the toolbar does', async () => {
    await scrollDown();
    const [first, second] = screen.getAllByRole('button', { name: 'Larger text' }) as [HTMLElement, HTMLElement];
    await userEvent.click(first);
    await userEvent.click(second);
    expect(document.querySelector('article')?.dataset['size']).toBe('2');
    await userEvent.click(first);
    expect([first, second].map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'true']);
  });

  it('isolates the headings of its outline, each in its language', async () => {
    await scrollDown();
    await userEvent.click(within(shown()).getByRole('button', { name: 'Outline' }));
    const outline = await screen.findByRole('dialog', { name: 'Outline' });
    const langOf = (id: string) => outline.querySelector<HTMLElement>(`a[href="#${id}"] > bdi`)?.lang;
    // The heading of the Chinese abstract is in the page's language, that of the translation in its own.
    expect(['a-sec-intro', 'a-section-abstract-2', 'a-tr-zh'].map(langOf)).toEqual(['en', 'en', 'zh']);
    await userEvent.keyboard('{Escape}');
  });

  it('leads to a heading, and links the other language', async () => {
    await scrollDown();
    await userEvent.click(within(shown()).getByRole('button', { name: 'Outline' }));
    const outline = await screen.findByRole('dialog', { name: 'Outline' });
    const link = within(outline).getByRole('link', { name: /References/ });
    await userEvent.click(link);
    await waitFor(() => expect(document.activeElement?.id).toBe(decodeURIComponent((link as HTMLAnchorElement).hash.slice(1))));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(within(shown()).getByRole('link', { name: '中文' }).getAttribute('href')).toContain('/zh/article/');
  });
});
