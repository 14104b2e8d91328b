import { useT, type SearchProps } from '@masthead/ui-sdk';
import { AdvancedSearch, HotWords, Scopes, ScopeSelect, SearchForm, SearchLine, Slogans, useSearch } from '@masthead/ui-sdk/search';

/** One line of large type on paper, over a rule of the site's colour. On other pages the same, smaller. */
export function View({ search, home }: SearchProps) {
  const t = useT();
  const state = useSearch();
  return (
    <div className="frame-search" data-module="search-style-six" role="search" aria-label={t('search')}>
      {home && search.title && <p className="search-title">{search.title}</p>}
      <SearchForm state={state}>
        <SearchLine state={state}>{!home && <ScopeSelect state={state} />}</SearchLine>
        {home && <Scopes state={state} />}
      </SearchForm>
      {home && (
        <div className="search-below">
          <HotWords state={state} />
          <AdvancedSearch state={state} />
        </div>
      )}
      {home && search.slogans.length > 0 && <Slogans state={state} />}
    </div>
  );
}
