import { Menu, type Shell } from '@masthead/ui-sdk';
import { loadOverlays, ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell, renderModule } from '@masthead/ui-sdk/testing';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import nav from '../../ui-modules/nav-default/src/module.ts';
import { muteConsole, showDocument } from './fixture.ts';

/** What the shell gives to its parts, and how often each part was rendered: slots by their names, others by their own. */
const seen = vi.hoisted(() => ({ shell: undefined as Shell | undefined, rendered: {} as Record<string, number> }));
const counted = vi.hoisted(() => async (part: string, load: () => Promise<Record<string, unknown>>) => {
  const { createElement } = await import('react');
  const real = await load();
  const Counted = (props: { name?: string }) => {
    const key = part === 'SlotView' ? (props.name ?? '') : part;
    seen.rendered[key] = (seen.rendered[key] ?? 0) + 1;
    return createElement(real[part] as React.FunctionComponent<{ name?: string }>, props);
  };
  return { ...real, [part]: Counted };
});
vi.mock('../src/slots/SlotView.tsx', (load) => counted('SlotView', load as never));
vi.mock('../src/reader/Toolbar.tsx', (load) => counted('Toolbar', load as never));
vi.mock('../src/reader/Enlarge.tsx', (load) => counted('Enlarge', load as never));
vi.mock('../src/page/BackToTop.tsx', async () => {
  const { useShell } = await import('@masthead/ui-sdk');
  const BackToTop = () => {
    seen.shell = useShell();
    return null;
  };
  return { BackToTop };
});

const { boot } = await import('../src/boot.tsx');
const { standing } = await import('../src/slots/SlotView.tsx');

let root: Root | undefined;
const openArticle = async () => {
  await import('../src/reader/Reader.tsx');
  showDocument('article');
  await act(async () => {
    root = await boot();
  });
  await waitFor(() => expect(standing.size).toBe(0));
  await screen.findByRole('toolbar');
};

beforeEach(async () => {
  muteConsole();
  await loadOverlays();
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  standing.clear();
  vi.restoreAllMocks();
});

it('the bar of work comes and goes without the article and the frame being rendered again', async () => {
  await openArticle();
  const counts = () => ['Toolbar', 'header', 'search', 'footer'].map((part) => seen.rendered[part] ?? 0);
  const before = counts();
  expect(before.every((count) => count > 0)).toBe(true);
  const bar = document.querySelector<HTMLElement>('.progress') as HTMLElement;
  let end: () => void = () => undefined;
  await act(async () => void seen.shell?.busy(new Promise<void>((resolve) => (end = resolve))));
  await waitFor(() => expect(bar.hidden).toBe(false));
  await act(async () => end());
  await waitFor(() => expect(bar.hidden).toBe(true));
  expect(counts()).toEqual(before);
});

it('the viewer opens without the buttons of the figures being rendered again', async () => {
  await openArticle();
  // Not that of the graphical abstract, which has a dialog of its own.
  const opener = () => document.querySelector('[data-section="body"] .fig-open');
  await waitFor(() => expect(opener()).toBeTruthy());
  const before = seen.rendered['Enlarge'];
  await userEvent.click(opener() as Element);
  await screen.findByRole('dialog', { name: 'Figures' });
  expect(seen.rendered['Enlarge']).toBe(before);
});

it('a menu says at once that it is open, and is rendered after that', async () => {
  render(
    <ShellProvider value={fakeShell(undefined).shell}>
      <Menu label="Language" items={[{ key: 'zh', label: '中文', href: '/zh/' }]}>
        EN
      </Menu>
    </ShellProvider>,
  );
  const button = screen.getByRole('button', { name: 'Language' });
  const menu = () => document.querySelector('[role=menu]');
  // As in a browser: `act` would wait for everything.
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  try {
    button.click();
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    expect([button.getAttribute('aria-expanded'), menu()]).toEqual(['true', null]);
    await waitFor(() => expect(menu()?.contains(document.activeElement)).toBe(true));
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = true;
  }
});

it('the menu of a phone is rendered with what one sees of it', async () => {
  const { container } = await renderModule(nav);
  await userEvent.click(container.querySelector('.frame-mobile button') as Element);
  const menu = await screen.findByRole('dialog', { name: 'Menu' });
  const below = () => [...menu.querySelectorAll('li ul a')].map((link) => link.textContent);
  expect(below()).toEqual([]);
  await userEvent.click(within(menu).getByRole('button', { name: 'Entries under Browse' }));
  expect(below()).toEqual(['Browse', 'Current issue', 'Just accepted']);
});
