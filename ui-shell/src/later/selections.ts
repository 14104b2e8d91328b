import type { PageView } from '@masthead/ui-sdk';
import { remove } from '../browser/storage.ts';

/** What search forms keep: the words, the scope, the condition (none means all), and the parts into which the host has divided the words. */
const OF_FORMS = ['val', 'keywords', 'searchTypeNav', 'selectvalue', 'analyzeArray'];
/** The filters of the results, and the place in them. */
const OF_RESULTS = ['Cat', 'Cat1', 'Year', 'Text', 'oa', 'oa1', 'periodId', 'periodId1', 'download', 'subId', 'page'];
/** Removes what was selected; scripts of the site may have stored it by these names. */
function forget(names: string[]): void {
  for (const name of names) remove('local', name);
}

const wordsOf = (page: PageView) => (page.kind === 'search' ? `${page.scope} ${page.q}` : undefined);

/** After a navigation, the selections of search forms are reset, except for those of the results that are shown; a new search clears the filters, too. */
export function resetSelections(before: PageView, now: PageView): void {
  const words = wordsOf(now);
  if (words === undefined) forget(OF_FORMS);
  else if (words !== wordsOf(before)) forget(OF_RESULTS);
}
