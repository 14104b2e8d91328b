import { useT, type SearchProps } from '@masthead/ui-sdk';
import { AdvancedSearch, HotWords, Scopes, ScopeSelect, SearchForm, SearchLine, Slogans, useSearch } from '@masthead/ui-sdk/search';

/**
 * On the home page: a stage of the site's colour whose height is that of the window's width times 0.6, with 0.4 of it above the title; types and
 * words stand below it. On other pages: a round field in a line.
 */
export function View({ site, search, home }: SearchProps) {
  const t = useT();
  const state = useSearch();
  return (
    <div className="frame-search" data-module="search-style-seven" role="search" aria-label={t('search')}>
      <SearchForm state={state}>
        <div className="search-stage">
          {home && <p className="search-title">{search.title || site.name}</p>}
          <SearchLine state={state}>{!home && <ScopeSelect state={state} />}</SearchLine>
        </div>
        {home && (
          <div className="search-below">
            <Scopes state={state} />
            <Slogans state={state} />
            <HotWords state={state} />
            <AdvancedSearch state={state} />
          </div>
        )}
      </SearchForm>
    </div>
  );
}
