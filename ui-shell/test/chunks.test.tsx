import { Dialog, Menu } from '@masthead/ui-sdk';
import { ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell } from '@masthead/ui-sdk/testing';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModuleBoundary } from '../src/slots/ModuleBoundary.tsx';
import { muteConsole, showDocument } from './fixture.ts';

// Chunks of a release that is no longer served.
const gone = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('../../plugin-sdk/ui/src/primitives/late.ts', gone);
vi.mock('../../locales/ru/shell.json', gone);

const { boot } = await import('../src/boot.tsx');

let root: Root | undefined;
beforeEach(() => {
  muteConsole();
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  vi.restoreAllMocks();
});

describe('without the code of dialogs, popovers and menus', () => {
  it('a cross-reference leads to its place, and the rest of the reader stays', async () => {
    await import('../src/reader/Reader.tsx');
    showDocument('article');
    await act(async () => {
      root = await boot();
    });
    await screen.findByRole('toolbar');
    const link = document.querySelector<HTMLAnchorElement>('a[data-ref-type=table]') as HTMLAnchorElement;
    // Not by the mouse, whose click leads there without a popover.
    fireEvent.click(link);
    await waitFor(() => expect(document.activeElement?.id).toBe(link.hash.slice(1)));
    expect(screen.getByRole('toolbar')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Cite' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cite' })).toBeNull());
    expect(screen.getByRole('button', { name: 'Larger text' })).toBeTruthy();
  });

  it.each([
    ['menu', <Menu key="a" label="Languages" items={[]} children="x" />],
    ['dialog', <Dialog key="b" open onOpenChange={() => undefined} title="Languages" />],
  ])('what needs a %s gives way to what the host sent', async (_, part) => {
    render(
      <ShellProvider value={fakeShell(undefined).shell}>
        <ModuleBoundary fallback={<p>sent by the host</p>} onError={() => undefined}>
          {part}
        </ModuleBoundary>
      </ShellProvider>,
    );
    const button = screen.queryByRole('button', { name: 'Languages' });
    if (button) await userEvent.click(button);
    expect(await screen.findByText('sent by the host')).toBeTruthy();
  });
});

it('without the messages of a language, the shell speaks English', async () => {
  vi.stubEnv('MODE', 'production');
  vi.resetModules();
  const { ensureLanguage, showLanguage, i18n } = await import('../src/i18n/i18n.ts');
  await ensureLanguage('ru');
  showLanguage('ru');
  expect(i18n.t('retry')).toBe('Try again');
  vi.unstubAllEnvs();
});
