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

/** Has the host analyze a text. Resolves to its message about a text that it refuses, or to `otherwise` where it does not answer. */
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

/** Words that others search for, key words and authors, and titles: at a group site, those of all its open sites. */
export type Suggested = Record<'words' | 'terms' | 'titles', Suggestion[]>;

/** Hot words without a text (specification section 9). */
const MOST_HOT = 10;

const hotWords = new WeakMap<Api, Promise<string[]>>();
/** The words that others search for, asked for once. */
function hotWordsOf(api: Api, siteId: number): Promise<string[]> {
  const known = hotWords.get(api);
  if (known) return known;
  const asked = api.get<{ content: string[] }>('/rc-pub/front/hisSearch/hotWords', { siteId, page: 0, size: MOST_HOT }).then(({ content }) => content);
  hotWords.set(api, asked);
  asked.catch(() => hotWords.delete(api));
  return asked;
}

const asSuggestions = (texts: string[]): Suggestion[] => texts.map((text) => ({ text }));

/** Suggestions for a text while it is being typed; for an empty one, the most popular searches. Without an answer, none. */
export async function suggestionsFor(api: Api, siteId: number, typed: string, scope: string, signal: AbortSignal): Promise<Suggested> {
  try {
    if (!typed) return { words: asSuggestions(await hotWordsOf(api, siteId)), terms: [], titles: [] };
    const found = await api.get<Schemas['Suggestions']>('/rc-pub/front/search/suggest', { q: typed, type: inCalls(scope) }, signal);
    const titles = found.titles.map(({ text, href }) => ({ text, href: href || undefined }));
    return { words: asSuggestions(found.words), terms: asSuggestions(found.terms), titles };
  } catch {
    return { words: [], terms: [], titles: [] };
  }
}
