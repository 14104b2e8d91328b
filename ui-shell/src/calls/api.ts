import { ApiError, type Bootstrap, type MovedPage, type PagePayload } from '@masthead/ui-sdk';
import { call, type Caller } from '@masthead/ui-sdk/shell';

export const callerOf = ({ base, lang, site }: Pick<Bootstrap, 'base' | 'lang' | 'site'>): Caller => ({ base, lang, siteId: site.id });

/** The host's words about a failed call; `otherwise` where it has said nothing: an error of the browser or of a proxy is in no reader's language. */
export const textOf = (error: unknown, otherwise: string): string => (error instanceof ApiError && error.fault === 'refused' && error.message) || otherwise;

/** Whether a call was refused because the reader is not signed in, or no longer: to make it again is of no use. */
export const isSignedOut = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 401;

/** The host's words about a failed call, or undefined for an ended session, which the shell tells itself. */
export const told = (error: unknown, otherwise: string): string | undefined => (isSignedOut(error) ? undefined : textOf(error, otherwise));

/** A page as data, or the address that it has now. */
export type Answer = PagePayload | MovedPage;

/** Time in ms for which a page is kept that is not shown. */
export const KEEP_MS = 300_000;

/** Pages that were fetched ahead, and not counted as views by the host. */
export const aheadOf = new WeakSet<Answer>();
/** Pages that nobody may keep, because another reader might not get them. */
export const fleeting = new WeakSet<Answer>();

/** Fetches a page. `path` is below the site's prefix; throws `ApiError`. `ahead`: before the reader asks for it. */
export async function fetchPage(bootstrap: Bootstrap, path: string, signal?: AbortSignal, ahead = false): Promise<Answer> {
  let isFleeting: boolean | undefined;
  const answer = await call<Answer>(callerOf(bootstrap), 'GET', '/rc-pub/front/page', {
    query: { path },
    signal,
    ...(ahead ? { headers: { purpose: 'prefetch' } } : {}),
    onResponse: ({ headers }) => (isFleeting = headers.get('cache-control')?.includes('no-store')),
  });
  if (ahead) aheadOf.add(answer);
  if (isFleeting) fleeting.add(answer);
  return answer;
}
