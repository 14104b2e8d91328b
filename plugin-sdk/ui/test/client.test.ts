import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../src/index.ts';
import { call, createApi } from '../src/shell.ts';
import { TIMEOUT_MS } from '../src/calls/client.ts';

const CALLER = { base: '/coast', lang: 'ara', siteId: 448 };
const envelope = (data: unknown, status = 0, message = '') => new Response(JSON.stringify({ status, data, message }), { status: status ? 403 : 200 });
const fetched = vi.fn(async (_url: string, _init: RequestInit): Promise<Response> => envelope('data'));
const sent = () => {
  const [url = '', init] = fetched.mock.calls.at(-1) ?? [];
  return { url: new URL(url, 'https://coast.test'), headers: init?.headers as Record<string, string>, init };
};

beforeEach(() => vi.stubGlobal('fetch', fetched));
afterEach(() => {
  document.cookie = 'commonToken=; max-age=0';
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  fetched.mockReset().mockImplementation(async () => envelope('data'));
});

it('every call names language and site, and the token where one can be read', async () => {
  const api = createApi(() => CALLER, vi.fn());
  for (const make of [() => api.get('/rc-pub/x'), () => api.post('/rc-pub/x', { a: 1 }), () => api.delete('/rc-pub/x')]) {
    document.cookie = 'commonToken=; max-age=0';
    expect(await make()).toBe('data');
    expect(sent().headers).toMatchObject({ language: 'ara', siteId: '448' });
    expect(sent().headers).not.toHaveProperty('token');
    document.cookie = 'commonToken=abc';
    await make();
    expect(sent().headers['token']).toBe('abc');
    expect(sent().url.pathname).toBe('/coast/rc-pub/x');
  }
});

it('every GET has a time stamp, and no browser keeps its answer', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_790_000_000_000);
  await call(CALLER, 'GET', '/rc-pub/x', { query: { q: 'a b', none: undefined } });
  expect(sent().url.search).toBe('?q=a+b&timestamps=1790000000000');
  expect(sent().init?.cache).toBe('no-store');
  for (const method of ['POST', 'DELETE'] as const) {
    await call(CALLER, method, '/rc-pub/x');
    expect(sent().url.search).toBe('');
  }
});

it('the captcha is copied from identifyHeader, for GET and DELETE', async () => {
  const options = { query: { identifyHeader: 'k7' } };
  await call(CALLER, 'GET', '/rc-pub/x', options);
  expect([sent().headers['captcha'], sent().url.searchParams.get('identifyHeader')]).toEqual(['k7', 'k7']);
  await call(CALLER, 'DELETE', '/rc-pub/x', options);
  expect(sent().headers['captcha']).toBe('k7');
  await call(CALLER, 'POST', '/rc-pub/x', options);
  expect(sent().headers).not.toHaveProperty('captcha');
});

it('a call ends after 600 s, or when it is given up', async () => {
  vi.useFakeTimers();
  fetched.mockImplementation(
    (_, { signal }) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
  );
  expect(TIMEOUT_MS).toBe(600_000);
  const late = call(CALLER, 'GET', '/rc-pub/x').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  expect(sent().init?.signal?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toMatchObject({ name: 'ApiError', status: 500, fault: 'late' });
  const control = new AbortController();
  const given = call(CALLER, 'GET', '/rc-pub/x', { signal: control.signal }).catch((error: unknown) => error);
  control.abort(new Error('the page was left'));
  expect(await given).toMatchObject({ message: 'the page was left' });
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  [async () => envelope(null, 10001, 'closed'), { status: 10001, message: 'closed', fault: 'refused' }],
  [async () => envelope(null), { status: 500, fault: 'refused' }],
  [async () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }), { status: 502, message: 'Bad Gateway', fault: 'unreadable' }],
  [async () => Promise.reject(new TypeError('Failed to fetch')), { status: 500, fault: 'unreachable' }],
] as const)('a failure is an ApiError that says what failed (%#)', async (answer, expected) => {
  const failed = vi.fn();
  fetched.mockImplementation(answer);
  const error: unknown = await createApi(() => CALLER, failed)
    .get('/rc-pub/x')
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject(expected);
  expect(failed.mock.calls).toEqual([[error]]);
});

it('a change is sent as JSON, a file as a form, and a parameter as often as it has values', async () => {
  const api = createApi(() => CALLER, vi.fn());
  await api.put('/rc-pub/x', { a: 1 });
  expect([sent().init?.method, sent().init?.body, sent().headers['content-type']]).toEqual(['PUT', '{"a":1}', 'application/json']);
  const form = new FormData();
  form.set('file', new Blob(['x']), 'x.png');
  await api.post('/rc-pub/x', form);
  expect(sent().init?.body).toBe(form);
  expect(sent().headers).not.toHaveProperty('content-type');
  await api.delete('/rc-pub/x', { id: [4, 'b'], type: 'article', none: undefined });
  expect(sent().url.search).toBe('?id=4&id=b&type=article');
  await call(CALLER, 'PUT', '/rc-pub/x', { query: { identifyHeader: 'k7' } });
  expect(sent().headers).not.toHaveProperty('captcha');
});

it('what the host says beside the data is passed on, and not that of a failure', async () => {
  const [failed, said] = [vi.fn(), vi.fn()];
  const api = createApi(() => CALLER, failed, said);
  fetched.mockImplementationOnce(async () => envelope(true, 0, 'Submitted successfully'));
  await api.put('/rc-pub/x');
  fetched.mockImplementationOnce(async () => envelope(null, 409, 'No'));
  await api.put('/rc-pub/x').catch(() => undefined);
  expect([said.mock.calls, failed.mock.calls.length]).toEqual([[['Submitted successfully']], 1]);
});
