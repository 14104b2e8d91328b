import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApi } from '@masthead/ui-sdk/shell';
import { documents } from '../src/browser/documents.ts';
import { reloadOnce } from '../src/browser/reload.ts';
import { forgetMemory } from '../src/browser/storage.ts';
import { muteConsole, showDocument } from './fixture.ts';

// The page of these tests is booted by them; what starts the shell in a browser only starts listening here.
const booted = vi.hoisted(() => ({ real: undefined as undefined | (() => Promise<Root | undefined>) }));
vi.mock('../src/boot.tsx', async () => {
  const real = await vi.importActual<typeof import('../src/boot.tsx')>('../src/boot.tsx');
  booted.real = real.boot;
  return { ...real, boot: async () => undefined };
});

let root: Root | undefined;
const start = async () => {
  await import('../src/boot.tsx');
  await act(async () => {
    root = await booted.real?.();
  });
};

beforeEach(() => {
  sessionStorage.clear();
  forgetMemory();
  muteConsole();
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('answers', () => {
  it('an answer 401 is told, and leads to the sign-in after 1.1 s, once', async () => {
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ status: 401, data: null, message: 'Please sign in again' }), { status: 401 }));
    const assign = vi.spyOn(documents, 'assign').mockReturnValue(undefined);
    await import('../src/later/Later.tsx');
    await import('../src/reader/Reader.tsx');
    await import('../src/reader/Translate.tsx');
    showDocument('plugins-article');
    document.cookie = 'userName=lin; path=/';
    document.cookie = 'commonToken=stale; path=/';
    localStorage.setItem('userName', 'lin');
    await start();
    const buttons = await waitFor(() => {
      const found = [...document.querySelectorAll<HTMLButtonElement>('.translate-tools button')];
      expect(found.length).toBeGreaterThan(1);
      return found;
    });
    // The shell's wait of 1.1 s ends when the test says so, however fast the machine is.
    const waits: (() => void)[] = [];
    const later = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, delay?: number, ...rest: unknown[]) =>
      delay === 1100 ? waits.push(work) : later(work, delay, ...rest)) as unknown as typeof setTimeout);
    for (const button of buttons.slice(0, 2)) await userEvent.click(button);
    await waitFor(() =>
      expect([...document.querySelectorAll('.notices[role=status] .notice')].map((one) => one.textContent)).toEqual(['Please sign in again']),
    );
    await waitFor(() => expect(waits).toHaveLength(1));
    expect(document.cookie).not.toMatch(/userName|commonToken/);
    expect(localStorage.getItem('userName')).toBeNull();
    expect(assign).not.toHaveBeenCalled();
    waits[0]?.();
    expect(assign.mock.calls).toEqual([[`/login?lang=en&url=${encodeURIComponent(location.pathname)}`]]);
  });

  it('an answer that is no envelope is a failure 500', async () => {
    const failed = vi.fn();
    const api = createApi(() => ({ base: '', lang: 'en', siteId: 1 }), failed);
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 200, statusText: 'OK' }));
    await expect(api.get('/rc-pub/x')).rejects.toMatchObject({ status: 500, message: 'OK', fault: 'unreadable' });
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ status: 0, data: null, message: 'gone' }), { status: 500 }));
    await expect(api.get('/rc-pub/x')).rejects.toMatchObject({ status: 500, message: 'gone', fault: 'refused' });
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(api.get('/rc-pub/x')).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('Failed to fetch') as string,
      fault: 'unreachable',
    });
    expect(failed).toHaveBeenCalledTimes(3);
  });
});

it('a part that is gone loads the document again, once a minute', async () => {
  const reload = vi.spyOn(documents, 'reload').mockReturnValue(undefined);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  const clock = vi.spyOn(Date, 'now');
  const first = 1_790_000_000_000;
  const reloads = [];
  for (const after of [0, 1, 30_000, 59_999, 60_000, 60_001, 120_000]) {
    clock.mockReturnValue(first + after);
    reloads.push(await reloadOnce());
  }
  expect(reloads).toEqual([true, false, false, false, true, false, true]);
  expect(reload).toHaveBeenCalledTimes(3);
  // Chunks fail together.
  clock.mockReturnValue(first + 300_000);
  expect((await Promise.all([reloadOnce(), reloadOnce()])).filter(Boolean)).toHaveLength(1);
});

it('a part that is gone is told by the browser, and its import still fails', async () => {
  const reload = vi.spyOn(documents, 'reload').mockReturnValue(undefined);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  await import('../src/main.tsx');
  const event = new Event('vite:preloadError', { cancelable: true });
  dispatchEvent(event);
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(event.defaultPrevented).toBe(false);
});

it('a part that is gone leaves the page alone where a reload would lose it, or could not be counted', async () => {
  const reload = vi.spyOn(documents, 'reload').mockReturnValue(undefined);
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await reloadOnce()).toBe(false);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 502 }));
  expect(await reloadOnce()).toBe(false);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(await reloadOnce()).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

it('a part that is gone does not take the reader back from where they are going', async () => {
  const reload = vi.spyOn(documents, 'reload').mockReturnValue(undefined);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }));
  const clock = vi.spyOn(performance, 'now').mockReturnValue(-100_000);
  dispatchEvent(new Event('beforeunload'));
  clock.mockReturnValue(-99_000);
  expect(await reloadOnce()).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  // A download leaves the document where it is.
  clock.mockReturnValue(-70_000);
  expect(await reloadOnce()).toBe(true);
});

it('the way to the top is shown after 300 px, or 400 px on a narrow window, and takes 500 ms', async () => {
  let y = 0;
  Object.defineProperty(window, 'scrollY', { get: () => y, configurable: true });
  const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(((to: ScrollToOptions) => (y = to.top ?? 0)) as typeof window.scrollTo);
  await import('../src/later/Later.tsx');
  showDocument('issue');
  await start();
  const button = document.querySelector<HTMLButtonElement>('.back-to-top') as HTMLButtonElement;
  const to = async (next: number) => {
    y = next;
    await act(async () => window.dispatchEvent(new Event('scroll')));
    return button.hidden;
  };
  expect([await to(0), await to(300), await to(301)]).toEqual([true, true, false]);
  vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(390);
  expect([await to(400), await to(401)]).toEqual([true, false]);
  scrolled.mockClear();
  // Frames of 16.7 ms.
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (step: FrameRequestCallback) => frames.push(step));
  await userEvent.click(screen.getByRole('button', { name: 'Back to top' }));
  await waitFor(() => expect(frames).toHaveLength(1));
  let now = 0;
  for (; frames.length; now += 16.7) frames.shift()?.(now);
  expect(now).toBeGreaterThan(500);
  expect(now).toBeLessThan(540);
  expect(y).toBe(0);
  const tops = scrolled.mock.calls.map(([step]) => (step as unknown as ScrollToOptions).top as number);
  expect(tops).toEqual([...tops].sort((a, b) => b - a));
  expect(document.activeElement?.closest('main')).toBeTruthy();
});

it('the way to the top ends where the reader scrolls, and takes no time where motion is to be reduced', async () => {
  const { toTop } = await import('../src/later/toTop.ts');
  Object.defineProperty(window, 'scrollY', { value: 900, configurable: true });
  const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (step: FrameRequestCallback) => frames.push(step));
  toTop();
  frames.shift()?.(0);
  dispatchEvent(new Event('wheel'));
  frames.shift()?.(17);
  expect(frames).toHaveLength(0);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  scrolled.mockClear();
  toTop();
  expect(scrolled.mock.calls).toEqual([[{ top: 0, behavior: 'instant' }]]);
});
