import { useT, type SearchProps } from '@masthead/ui-sdk';
import { AdvancedSearch, HotWords, Scopes, ScopeSelect, SearchForm, SearchLine, Slogans, useSearch } from '@masthead/ui-sdk/search';

/** On the home page: a ledger of three columns, which has the types as a list, the title with the field, and numbered words. On other pages: a ruled line. */
export function View({ search, home }: SearchProps) {
  const t = useT();
  const state = useSearch();
  return (
    <div className="frame-search" data-module="search-style-four" role="search" aria-label={t('search')}>
      <SearchForm state={state}>
        {home && <Scopes state={state} />}
        <div className="search-middle">
          {home && search.title && <p className="search-title">{search.title}</p>}
          {home && <Slogans state={state} />}
          <SearchLine state={state}>{!home && <ScopeSelect state={state} />}</SearchLine>
          {home && <AdvancedSearch state={state} />}
        </div>
      </SearchForm>
      {home && <HotWords state={state} />}
    </div>
  );
}
