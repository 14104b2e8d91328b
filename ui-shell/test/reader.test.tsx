import { loadOverlays } from '@masthead/ui-sdk/shell';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boot } from '../src/boot.tsx';
import { targetOf } from '../src/browser/scroll.ts';
import { zoomed } from '../src/reader/FigureViewer.tsx';
import { toCsv } from '../src/reader/tools.ts';
import { violations } from './axe.ts';
import { showDocument } from './fixture.ts';

let root: Root | undefined;
const start = async (name: string, hash = '') => {
  showDocument(name);
  if (hash) history.replaceState(null, '', hash);
  await act(async () => {
    root = await boot();
  });
  // A viewer that opens with the page hides the rest from assistive technology.
  await screen.findByRole('toolbar', { hidden: hash !== '' });
};
beforeEach(async () => {
  localStorage.clear();
  await loadOverlays();
  await import('../src/reader/Reader.tsx');
  await start('article');
});
afterEach(async () => {
  await act(async () => root?.unmount());
});

const xref = (kind: string) => document.querySelector<HTMLAnchorElement>(`a.xref[data-ref-type="${kind}"]`) as HTMLAnchorElement;

describe('cross-references', () => {
  it('open by key with the content of the page, take the focus, close by Escape, give it back', async () => {
    const link = xref('bibr');
    link.focus();
    await userEvent.keyboard('{Enter}');
    const popover = await screen.findByRole('dialog', { name: 'Reference 1–3' });
    expect(popover.textContent).toContain('Petrosyan V, Ruiz-Calder M.');
    await waitFor(() => expect(popover.contains(document.activeElement)).toBe(true));
    expect(
      within(popover)
        .getByRole('link', { name: /Scholar/ })
        .getAttribute('href'),
    ).toContain('Placing');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(link);
  });

  it('show a reference in both of its languages', async () => {
    await act(async () => root?.unmount());
    await start('plugins-article.zh');
    await userEvent.click(xref('bibr'));
    const popover = await screen.findByRole('dialog');
    expect(popover.textContent).toContain('蟹洞渗流与红树林孔隙水更新');
    expect(popover.textContent).toContain('Crab-burrow seepage');
  });

  it('open by hovering without taking the focus, and close when the pointer leaves', async () => {
    fireEvent.pointerOver(xref('fig'), { pointerType: 'mouse' });
    const popover = await screen.findByRole('dialog', { name: 'Figure' });
    expect(popover.querySelector('img')?.getAttribute('alt')).toContain('Line chart with three series');
    expect(popover.querySelector('[id="a-f1"]')).toBeNull();
    expect(popover.contains(document.activeElement)).toBe(false);
    fireEvent.pointerOut(xref('fig'), { pointerType: 'mouse' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    ['table', 'Greedy design'],
    ['fn', 'Nineteen pilots replied'],
    ['disp-formula', '(3)'],
  ])('show a %s', async (kind, text) => {
    await userEvent.click(xref(kind));
    expect((await screen.findByRole('dialog')).textContent).toContain(text);
  });

  it('go to the place and back to the text', async () => {
    await userEvent.click(xref('table'));
    await userEvent.click(await screen.findByRole('button', { name: 'Show in the text' }));
    await waitFor(() => expect(document.activeElement?.id).toBe('a-t1'));
    await userEvent.click(await screen.findByRole('button', { name: 'Back to the text' }));
    expect(document.activeElement).toBe(xref('table'));
    expect(screen.queryByRole('button', { name: 'Back to the text' })).toBeNull();
  });
});

describe('figures', () => {
  it('open on the whole screen, turn by key, carry an address, return the focus', async () => {
    const button = screen.getByRole('button', { name: 'Enlarge Figure 1' });
    await userEvent.click(button);
    const viewer = await screen.findByRole('dialog', { name: 'Figures' });
    expect(location.hash).toBe('#view-a-f1');
    expect(viewer.textContent).toContain('2 of 4');
    await userEvent.click(within(viewer).getByRole('button', { name: 'Next figure' }));
    await userEvent.keyboard('{ArrowRight}');
    expect(viewer.textContent).toContain('4 of 4');
    await userEvent.keyboard('{ArrowRight}');
    expect(viewer.textContent).toContain('1 of 4');
    expect(viewer.textContent).toContain('From budget to network');
    await userEvent.keyboard('{ArrowLeft}');
    expect(viewer.textContent).toContain('Coverage of the nominal 90% interval');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(location.hash).toBe('');
    expect(document.activeElement).toBe(button);
  });

  it.each(['#view-a-f1', '#view-f1'])('open at the address %s: with the id of the page, and with that of the source', async (hash) => {
    await act(async () => root?.unmount());
    await start('article', hash);
    expect((await screen.findByRole('dialog', { name: 'Figures' })).textContent).toContain('2 of 4');
  });

  it('zoom around the pointer and never below the whole', () => {
    const near = zoomed({ scale: 1, x: 0, y: 0 }, 2, 100, 50);
    expect(near).toEqual({ scale: 2, x: -100, y: -50 });
    expect(zoomed(near, 0.1, 0, 0)).toEqual({ scale: 1, x: 0, y: 0 });
    expect(zoomed(near, 100, 0, 0).scale).toBe(8);
  });
});

describe('tables and formulas', () => {
  it('write CSV with quotes and with spans as empty cells', () => {
    document.body.innerHTML = '<table><tr><th rowspan="2">a</th><th colspan="2">b, "c"</th></tr><tr><td>d</td><td> e\n f </td></tr></table>';
    expect(toCsv(document.querySelector('table') as HTMLTableElement)).toBe('a,"b, ""c""",\r\n,d,e f');
  });

  it('show a table on the whole screen', async () => {
    const button = screen.getByRole('button', { name: 'Full screen' });
    await userEvent.click(button);
    const dialog = await screen.findByRole('dialog', { name: /Table 1 Composition and cost/ });
    expect(within(dialog).getByRole('table')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('copy LaTeX and say so', async () => {
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getAllByRole('button', { name: 'Copy LaTeX' })[0] as HTMLElement);
    expect(write.mock.calls[0]?.[0]).toContain('\\sigma_q^{2}');
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  });
});

describe('toolbar', () => {
  it('sets text size within bounds and keeps it', async () => {
    const larger = screen.getByRole('button', { name: 'Larger text' });
    for (let times = 0; times < 6; times += 1) await userEvent.click(larger);
    expect(document.querySelector<HTMLElement>('.reader')?.dataset['size']).toBe('3');
    expect(larger.getAttribute('aria-disabled')).toBe('true');
    expect(localStorage.getItem('masthead.size')).toBe('3');
  });

  it('turns dark', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Dark mode' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(document.cookie).toContain('theme=dark');
  });

  it('shows the citation', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Cite' }));
    expect((await screen.findByRole('dialog', { name: 'Cite this article' })).textContent).toContain('Ocean Ledger, 6(2), 97–117');
  });
});

it('has ids of its own beside those of the article', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Cite' }));
  await screen.findByRole('dialog', { name: 'Cite this article' });
  const ids = [...document.querySelectorAll('[id]')].filter((element) => element.id);
  const mixed = ids.filter((element) => /^[ap]-/.test(element.id) !== Boolean(element.closest('.reader-body')));
  expect(mixed.map((element) => element.id)).toEqual([]);
  expect(ids.some((element) => element.id === 'a-f1')).toBe(true);
});

it('finds the places that links with ids of the source lead to', () => {
  expect(targetOf('#f1')).toBe(document.getElementById('a-f1'));
  expect(targetOf('#a-f1')).toBe(document.getElementById('a-f1'));
  expect(targetOf('#main')).toBe(document.querySelector('main'));
  expect([targetOf('#nowhere'), targetOf('#'), targetOf('#%')]).toEqual([null, null, null]);
});

it('keeps the article free of what axe finds', async () => {
  expect(await violations(document.querySelector('main') as Element)).toEqual([]);
});

it('folds the outline under a button', async () => {
  const button = screen.getByRole('button', { name: 'Outline' });
  await userEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(document.querySelector('.reader-outline')?.hasAttribute('data-open')).toBe(true);
});
