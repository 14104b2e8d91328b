import { useT, type SearchProps } from '@masthead/ui-sdk';
import { AdvancedSearch, HotWords, Scopes, ScopeSelect, SearchForm, SearchLine, Slogans, useSearch } from '@masthead/ui-sdk/search';

/** On the home page: a band of the site's colour, with the title in its middle and the types as tabs of the field. On other pages: a line. */
export function View({ search, home }: SearchProps) {
  const t = useT();
  const state = useSearch();
  return (
    <div className="frame-search" data-module="search-style-one" role="search" aria-label={t('search')}>
      {home && search.title && <p className="search-title">{search.title}</p>}
      {home && search.slogans.length > 0 && <Slogans state={state} />}
      <SearchForm state={state}>
        {home && <Scopes state={state} />}
        <SearchLine state={state}>{!home && <ScopeSelect state={state} />}</SearchLine>
      </SearchForm>
      {home && (
        <div className="search-below">
          <HotWords state={state} />
          <AdvancedSearch state={state} />
        </div>
      )}
    </div>
  );
}
