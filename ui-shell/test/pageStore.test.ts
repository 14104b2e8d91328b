import { ApiError, type PagePayload } from '@masthead/ui-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KEEP_MS } from '../src/calls/api.ts';
import { PageStore, RETRY_MS } from '../src/page/PageStore.ts';

const pageOf = (title: string) => ({ title }) as PagePayload;
const load = vi.fn<(path: string, signal: AbortSignal, ahead: boolean) => Promise<PagePayload>>();
const mayKeep = ({ title }: { title?: string }) => !title?.includes('fleeting');
const mayRetry = (error: unknown) => !(error instanceof ApiError);
const create = () => new PageStore({ load, mayKeep: mayKeep as (answer: object) => boolean, mayRetry }, '/first', pageOf('first'));
const ready = (title: string) => ({ status: 'ready', answer: pageOf(title) });

beforeEach(() => {
  vi.useFakeTimers();
  load.mockImplementation(async (path) => pageOf(path));
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

it('has the page of the document, and fetches others once', async () => {
  const store = create();
  const seen = vi.fn();
  store.subscribe(seen);
  store.open('/first');
  expect(store.stateOf('/first')).toEqual(ready('first'));
  const leave = store.open('/a');
  expect(store.stateOf('/a')).toEqual({ status: 'loading' });
  await vi.advanceTimersByTimeAsync(0);
  expect(store.stateOf('/a')).toEqual(ready('/a'));
  expect(seen).toHaveBeenCalledOnce();
  leave();
  store.open('/a');
  expect(store.stateOf('/a')).toEqual(ready('/a'));
  expect(load).toHaveBeenCalledOnce();
});

it('keeps a page for a time after it was shown, and as long as it is shown', async () => {
  const store = create();
  const leave = store.open('/a');
  store.open('/b');
  await vi.advanceTimersByTimeAsync(2 * KEEP_MS);
  leave();
  await vi.advanceTimersByTimeAsync(KEEP_MS);
  store.open('/a')();
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(KEEP_MS + 1);
  store.open('/a');
  store.open('/b');
  expect(load.mock.calls.map(([path]) => path)).toEqual(['/a', '/b', '/a']);
});

it('ends a request that nobody waits for any more', async () => {
  load.mockImplementation(() => new Promise(() => undefined));
  const store = create();
  const leave = [store.open('/a'), store.open('/a')];
  leave[0]?.();
  expect(load.mock.calls[0]?.[1].aborted).toBe(false);
  leave[1]?.();
  expect(load.mock.calls[0]?.[1].aborted).toBe(true);
  store.open('/a');
  expect(load).toHaveBeenCalledTimes(2);
  expect(store.stateOf('/a')).toEqual({ status: 'loading' });
});

it('shows nothing of an answer that comes after its request was ended', async () => {
  let answer: (page: PagePayload) => void = () => undefined;
  load.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const store = create();
  store.open('/a')();
  answer(pageOf('late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.stateOf('/a')).toEqual({ status: 'loading' });
});

it('asks once more if no answer came, then says so', async () => {
  load.mockRejectedValue(new TypeError('Failed to fetch'));
  const store = create();
  store.open('/a');
  await vi.advanceTimersByTimeAsync(RETRY_MS - 1);
  expect(load).toHaveBeenCalledOnce();
  expect(store.stateOf('/a').status).toBe('loading');
  await vi.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  expect(store.stateOf('/a').status).toBe('failed');
});

it('hands out a page before it is shown, and keeps it for that', async () => {
  const store = create();
  const { signal } = new AbortController();
  expect(await store.fetch('/first', signal)).toEqual(pageOf('first'));
  expect(load).not.toHaveBeenCalled();
  store.prefetch('/a');
  expect(await store.fetch('/a', signal)).toEqual(pageOf('/a'));
  expect(store.stateOf('/a')).toEqual(ready('/a'));
  store.open('/a');
  expect(load).toHaveBeenCalledOnce();
});

it('says why a page cannot be handed out, and asks again for one that failed and is still wanted', async () => {
  const error = new ApiError(500, 'Data acquisition failed');
  load.mockRejectedValue(error);
  const store = create();
  const { signal } = new AbortController();
  await expect(store.fetch('/a', signal)).rejects.toBe(error);
  store.open('/a');
  await vi.advanceTimersByTimeAsync(0);
  expect(store.stateOf('/a')).toEqual({ status: 'failed', error });
  load.mockResolvedValue(pageOf('a'));
  const again = store.fetch('/a', signal);
  expect(store.stateOf('/a').status).toBe('loading');
  expect(await again).toEqual(pageOf('a'));
  expect(store.stateOf('/a')).toEqual(ready('a'));
  expect(load).toHaveBeenCalledTimes(3);
});

it('ends the request of a page that is given up before it is there', async () => {
  load.mockImplementation((_, signal) => new Promise((_answer, fail) => signal.addEventListener('abort', () => fail(signal.reason))));
  const store = create();
  const given = new AbortController();
  const page = store.fetch('/a', given.signal);
  const told = expect(page).rejects.toMatchObject({ name: 'AbortError' });
  expect(load.mock.calls[0]?.[1].aborted).toBe(false);
  given.abort();
  expect(load.mock.calls[0]?.[1].aborted).toBe(true);
  await told;
  store.open('/a');
  expect(load).toHaveBeenCalledTimes(2);
});

it('takes the word of a host that says why', async () => {
  const error = new ApiError(500, 'Data acquisition failed');
  load.mockRejectedValue(error);
  const store = create();
  const leave = store.open('/a');
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(load).toHaveBeenCalledOnce();
  expect(store.stateOf('/a')).toEqual({ status: 'failed', error });
  leave();
  store.open('/a');
  expect(load).toHaveBeenCalledTimes(2);
});

it('opens what was fetched ahead, and asks again where that failed', async () => {
  const store = create();
  store.prefetch('/a');
  load.mockRejectedValueOnce(new ApiError(503, ''));
  store.prefetch('/b');
  await vi.advanceTimersByTimeAsync(0);
  store.open('/a');
  expect(store.stateOf('/a')).toEqual(ready('/a'));
  store.open('/b');
  await vi.advanceTimersByTimeAsync(0);
  expect(store.stateOf('/b')).toEqual(ready('/b'));
  expect(load.mock.calls.map(([path]) => path)).toEqual(['/a', '/b', '/b']);
});

it('keeps a page that was fetched ahead unless nobody may keep it, and says so', async () => {
  const store = create();
  expect(await store.prefetch('/a')).toBe(true);
  expect(await store.prefetch('/fleeting')).toBe(false);
  expect(load.mock.calls.map(([path, , ahead]) => [path, ahead])).toEqual([
    ['/a', true],
    ['/fleeting', true],
  ]);
  expect(store.stateOf('/a')).toEqual(ready('/a'));
  expect(store.stateOf('/fleeting')).toEqual({ status: 'loading' });
  // One that the reader has opened meanwhile is shown.
  const wanted = store.prefetch('/fleeting');
  store.open('/fleeting');
  expect(await wanted).toBe(true);
  expect(store.stateOf('/fleeting')).toEqual(ready('/fleeting'));
});

it('says that a page could not be fetched ahead', async () => {
  load.mockRejectedValue(new ApiError(500, ''));
  const store = create();
  expect(await store.prefetch('/a')).toBe(false);
  expect(load).toHaveBeenCalledOnce();
});
