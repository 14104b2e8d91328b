import { ApiError } from '../contract/errors.ts';
import type { Api, Query } from '../contract/context.tsx';

interface Envelope<T> {
  status: number;
  data: T | null;
  message: string;
}

/** The page from which a call is made. */
export interface Caller {
  base: string;
  lang: string;
  siteId: number;
}

export interface CallOptions {
  query?: Query | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Further headers. */
  headers?: Record<string, string>;
  /** Called with the message of an answer that is no failure, or "". */
  onMessage?: ((message: string) => void) | undefined;
  /** Called with the head of the answer, before it is read. */
  onResponse?(response: Response): void;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Upper bound in ms for a call; the host's own limits are seconds. */
export const TIMEOUT_MS = 600_000;

/** The token of a client that keeps it in a cookie for scripts. That of the host's session is not readable, and is sent by the browser. */
function token(): Record<string, string> {
  let cookies = '';
  try {
    cookies = document.cookie;
  } catch {
    // A sandboxed frame.
  }
  const found = /(?:^|; )commonToken=([^;]+)/.exec(cookies);
  return found?.[1] ? { token: found[1] } : {};
}

/** Makes a call and resolves to `data` of its envelope. Rejects with `ApiError`, or with the reason of `signal` if that ends the call. */
export async function call<T>({ base, lang, siteId }: Caller, method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const { query: given = {}, body, signal, headers, onMessage, onResponse } = options;
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(given)) for (const one of [value].flat()) if (one !== undefined) query.append(key, String(one));
  const captcha = (method === 'GET' || method === 'DELETE') && query.get('identifyHeader');
  // The browser names the type of a form, which has the boundary of its parts.
  const isForm = body instanceof FormData;
  if (method === 'GET') query.set('timestamps', String(Date.now()));
  const control = new AbortController();
  const end = () => control.abort(signal?.reason);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  const timer = setTimeout(() => control.abort(), TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${base}${path}${query.size ? `?${query}` : ''}`, {
      method,
      credentials: 'same-origin',
      // Each address is asked for once: a browser that stores the answers fills its cache with entries that are never used.
      cache: 'no-store',
      signal: control.signal,
      headers: {
        accept: 'application/json',
        language: lang,
        siteId: String(siteId),
        ...token(),
        ...(captcha ? { captcha } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    onResponse?.(response);
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(500, String(error), undefined, control.signal.aborted ? 'late' : 'unreachable');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
  let envelope: Envelope<T>;
  try {
    envelope = JSON.parse(text) as Envelope<T>;
  } catch {
    throw new ApiError(response.ok ? 500 : response.status, response.statusText, undefined, 'unreadable');
  }
  const { status, data, message } = envelope;
  if (status !== 0 || data === null || data === undefined) throw new ApiError(status || (response.ok ? 500 : response.status), message, data);
  onMessage?.(message);
  return data;
}

/** The calls of a page. `onFailure` learns of each failure before who has called, and `onMessage` of the message of each other answer. */
export function createApi(caller: () => Caller, onFailure: (error: unknown) => void, onMessage?: (message: string) => void): Api {
  const make = <T>(...[method, path, options]: [method: Method, path: string, options: CallOptions]): Promise<T> =>
    call<T>(caller(), method, path, { onMessage, ...options }).catch((error: unknown) => {
      onFailure(error);
      throw error;
    });
  return {
    get: (path, query, signal) => make('GET', path, { query, signal }),
    post: (path, body = {}, signal) => make('POST', path, { body, signal }),
    put: (path, body = {}, signal) => make('PUT', path, { body, signal }),
    delete: (path, query, signal) => make('DELETE', path, { query, signal }),
  };
}
