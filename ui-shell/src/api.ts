import { ApiError, type Api, type Bootstrap, type MovedPage, type PagePayload } from '@masthead/ui-sdk';

interface Envelope<T> {
  status: number;
  data: T | null;
  message: string;
}

export interface ApiContext {
  base: string;
  lang: string;
  siteId: number;
}

/** No answer came: the reader is offline, or the host is out of reach. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('no answer from the host', { cause });
    this.name = 'Unreachable';
  }
}

/** Called on status 401 with the message of the response; the shell shows it and opens the sign-in page. */
export type OnUnauthorized = (message: string) => void;

async function call<T>(
  context: ApiContext,
  method: string,
  path: string,
  options: { query?: Record<string, string | number | undefined>; body?: unknown; signal?: AbortSignal } = {},
): Promise<T> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(options.query ?? {})) if (value !== undefined) query.set(key, String(value));
  const text = query.toString();
  const asked = fetch(`${context.base}${path}${text ? `?${text}` : ''}`, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      language: context.lang,
      siteId: String(context.siteId),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const [response, answer] = await asked
    .then(async (response) => [response, await response.text()] as const)
    .catch((error: unknown) => {
      throw options.signal?.aborted ? error : new Unreachable(error);
    });
  let envelope: Envelope<T>;
  try {
    envelope = JSON.parse(answer) as Envelope<T>;
  } catch {
    throw new ApiError(response.ok ? 500 : response.status, response.statusText);
  }
  if (envelope.status !== 0 || envelope.data === null || envelope.data === undefined)
    throw new ApiError(envelope.status || response.status, envelope.message, envelope.data);
  return envelope.data;
}

export function createApi(context: () => ApiContext, onUnauthorized: OnUnauthorized): Api {
  const guarded = <T>(promise: Promise<T>): Promise<T> =>
    promise.catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) onUnauthorized(error.message);
      throw error;
    });
  return {
    get: (path, query, signal) => guarded(call(context(), 'GET', path, { query, signal })),
    post: (path, body) => guarded(call(context(), 'POST', path, { body: body ?? {} })),
    delete: (path) => guarded(call(context(), 'DELETE', path)),
  };
}

/** Fetches a page as data, or the address that it has now. `path` is below the site's prefix; throws `ApiError`. */
export function fetchPage(bootstrap: Bootstrap, path: string, signal?: AbortSignal): Promise<PagePayload | MovedPage> {
  return call({ base: bootstrap.base, lang: bootstrap.lang, siteId: bootstrap.site.id }, 'GET', '/rc-pub/front/page', { query: { path }, signal });
}
