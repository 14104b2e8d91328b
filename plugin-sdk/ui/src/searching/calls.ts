import type { components } from '../contract/api.ts';
import type { Api } from '../contract/context.tsx';
import { ApiError } from '../contract/errors.ts';
import type { SearchOption } from './types.ts';

type Schemas = components['schemas'];

/** The names that calls have for types which configurations name otherwise. */
const SYNONYMS: Record<string, string> = { thesis: 'article', periodical: 'publication' };
const inCalls = (scope: string) => SYNONYMS[scope] ?? scope;

/** The conditions of a type. The selector sends 0 for a condition without a field. */
export async function conditionsOf(api: Api, site: number, scope: string): Promise<SearchOption[]> {
  const list = await api.get<Schemas['ConditionView'][]>(`/rc-pub/front/site/${site}/search-conditions`, { type: inCalls(scope) });
  return list.map(({ condition, field }) => ({ label: condition, field: field || '0' }));
}

/** Has the host analyze a text. Resolves to what it says about a text that it refuses, or to `otherwise` where it does not answer. */
export async function refusalOf(api: Api, words: string, scope: string, otherwise: string): Promise<string | undefined> {
  try {
    await api.get('/rc-pub/front/analyze', { q: words, type: inCalls(scope) });
    return undefined;
  } catch (error) {
    return (error instanceof ApiError && error.fault === 'refused' && error.status < 500 && error.message) || otherwise;
  }
}

/** An entry of the list below the field: words to search for, or a title with the address of its page. */
export interface Suggestion {
  text: string;
  href?: string;
}

export interface Suggested {
  words: Suggestion[];
  titles: Suggestion[];
}

const MOST_WORDS = 4;
const MOST_TITLES = 6;
/** Hot words without a text (specification section 9). */
const MOST_HOT = 10;

const hotWords = new WeakMap<Api, Promise<string[]>>();
/** The words that others search for, asked for once. */
function hotWordsOf(api: Api, siteId: number): Promise<string[]> {
  const known = hotWords.get(api);
  if (known) return known;
  const asked = api.get<{ content: string[] }>('/rc-pub/front/hisSearch/hotWords', { siteId, page: 0, size: 50 }).then(({ content }) => content);
  hotWords.set(api, asked);
  asked.catch(() => hotWords.delete(api));
  return asked;
}

type Hit = { kind: string; resName_tic?: string; href?: string; articleHref?: string };

/** What goes with a text while it is being typed; for none, what most others search for. A part that cannot be had is left out. */
export async function suggestionsFor(api: Api, siteId: number, typed: string, scope: string, signal: AbortSignal): Promise<Suggested> {
  if (!typed) {
    const words = await hotWordsOf(api, siteId).catch((): string[] => []);
    return { words: words.slice(0, MOST_HOT).map((text) => ({ text })), titles: [] };
  }
  const start = typed.toLocaleLowerCase();
  const query = { q: typed, type: inCalls(scope), page: 0, size: MOST_TITLES, suggest: 'true' };
  const [words, hits] = await Promise.all([
    hotWordsOf(api, siteId).catch((): string[] => []),
    api.get<{ content: Hit[] }>('/rc-pub/front/search', query, signal).then(
      ({ content }) => content,
      (): Hit[] => [],
    ),
  ]);
  const fits = (word: string) => word.toLocaleLowerCase() !== start && word.toLocaleLowerCase().includes(start);
  return {
    words: words
      .filter(fits)
      .slice(0, MOST_WORDS)
      .map((text) => ({ text })),
    titles: hits.flatMap(({ resName_tic: text = '', href, articleHref }) => (text ? [{ text, href: href || articleHref || undefined }] : [])),
  };
}
