import type { Shell } from '@masthead/ui-sdk';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressOf, muteConsole, pageOf, showDocument } from './fixture.ts';

/** What the shell gives to modules and to its own parts. */
const given = vi.hoisted(() => ({ shell: undefined as Shell | undefined }));
vi.mock('../src/page/BackToTop.tsx', async () => {
  const { useShell } = await import('@masthead/ui-sdk');
  const BackToTop = () => {
    given.shell = useShell();
    return null;
  };
  return { BackToTop };
});

const { boot } = await import('../src/boot.tsx');
const { documents } = await import('../src/browser/documents.ts');
const store = await import('../src/slots/ModuleStore.ts');
const { standing } = await import('../src/slots/SlotView.tsx');

const ARTICLE = addressOf('article');
const envelope = (data: unknown, status = 0) => new Response(JSON.stringify({ status, data, message: '' }), { status: status || 200 });

let root: Root | undefined;
/** What answers for a page that was asked for, by its path. */
const asked = new Map<string, (answer: Response | Error) => void>();
const fetched = (input: string, { signal }: RequestInit = {}) =>
  new Promise<Response>((resolve, reject) => {
    const path = new URL(input, location.href).searchParams.get('path') ?? '';
    asked.set(path, (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
const answer = async (path: string, what: Response | Error) => {
  await waitFor(() => expect(asked.has(path)).toBe(true));
  await act(async () => asked.get(path)?.(what));
};

const bar = () => document.querySelector<HTMLElement>('.progress') as HTMLElement;
/** Whether the bar is shown, and what screen readers are told. */
const told = () => [!bar().hidden, document.querySelector('.progress + [role=status]')?.textContent];
const shown = () => waitFor(() => expect(told()).toEqual([true, 'Loading']));
const gone = () => waitFor(() => expect(told()).toEqual([false, '']));

beforeEach(async () => {
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(documents, 'assign').mockReturnValue(undefined);
  // A page is not asked for a second time.
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  muteConsole();
  showDocument('issue');
  await act(async () => {
    root = await boot();
  });
  await waitFor(() => expect(standing.size).toBe(0));
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  store.forget();
  standing.clear();
  asked.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

describe('the bar of a page on its way', () => {
  const follow = () => userEvent.click(document.querySelector('.card-title a') as Element);

  it.each([
    ['has come', () => envelope(pageOf('article')), () => expect(location.pathname).toBe(ARTICLE)],
    ['is refused by the host', () => envelope(null, 500), () => expect(documents.assign).toHaveBeenCalledWith(ARTICLE)],
    ['is answered by nobody', () => new TypeError('Failed to fetch'), () => expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()],
  ])('is shown until the page %s', async (_, what, come) => {
    expect([told(), given.shell?.pending]).toEqual([[false, ''], false]);
    await follow();
    await shown();
    expect(given.shell?.pending).toBe(true);
    await answer(ARTICLE, what());
    await gone();
    expect(given.shell?.pending).toBe(false);
    await waitFor(come);
  });

  it('is shown for the link that was followed last, whatever comes of the others', async () => {
    await follow();
    await shown();
    await userEvent.click(screen.getByRole('link', { name: '中文' }));
    // The first request has ended; the second one has not.
    await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 200))));
    expect([bar().hidden, given.shell?.pending]).toEqual([false, true]);
    await answer('/zh/issue', envelope(pageOf('issue.zh')));
    await waitFor(() => expect(document.documentElement.lang).toBe('zh'));
    await gone();
    await answer(ARTICLE, envelope(pageOf('article')));
    expect([told(), given.shell?.pending, location.pathname]).toEqual([[false, ''], false, '/zh/issue']);
  });
});

describe('the bar of work', () => {
  /** Work that ends when the test says so, as the shell gives it back. */
  const begin = async () => {
    const ends = { done: (_result: string) => undefined as void, failed: (_error: Error) => undefined as void };
    const work = new Promise<string>((resolve, reject) => Object.assign(ends, { done: resolve, failed: reject }));
    let result: Promise<string> = work;
    await act(async () => {
      result = given.shell?.busy(work) ?? work;
    });
    // What comes of it is asked for later.
    result.catch(() => undefined);
    return { result, ...ends };
  };

  it('is shown until the work is done, and its result is that of the work', async () => {
    const work = await begin();
    await shown();
    await act(async () => work.done('saved'));
    await gone();
    expect(await work.result).toBe('saved');
  });

  it('is shown until the work fails, and it fails as the work does', async () => {
    const work = await begin();
    await shown();
    const reason = new Error('The disk is full');
    await act(async () => work.failed(reason));
    await gone();
    await expect(work.result).rejects.toBe(reason);
  });

  it('is shown until the last of several works has ended', async () => {
    const [first, second] = [await begin(), await begin()];
    await shown();
    await act(async () => first.failed(new Error('x')));
    expect(told()).toEqual([true, 'Loading']);
    await act(async () => second.done(''));
    await gone();
  });

  it('is shown for a page that is on its way, after the work has ended', async () => {
    const work = await begin();
    await userEvent.click(document.querySelector('.card-title a') as Element);
    await shown();
    await act(async () => work.done(''));
    expect(told()).toEqual([true, 'Loading']);
    await answer(ARTICLE, envelope(pageOf('article')));
    await gone();
  });
});
