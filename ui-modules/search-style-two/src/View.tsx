import { useT, type SearchProps } from '@masthead/ui-sdk';
import { AdvancedSearch, HotWords, Scopes, ScopeSelect, SearchForm, SearchLine, Slogans, useSearch } from '@masthead/ui-sdk/search';

/** On the home page: the title at one side, and at the other a card with types, field and words. On other pages: a line on paper. */
export function View({ site, search, home }: SearchProps) {
  const t = useT();
  const state = useSearch();
  if (!home)
    return (
      <div className="frame-search" data-module="search-style-two" role="search" aria-label={t('search')}>
        <SearchForm state={state}>
          <SearchLine state={state}>
            <ScopeSelect state={state} />
          </SearchLine>
        </SearchForm>
      </div>
    );
  return (
    <div className="frame-search" data-module="search-style-two" role="search" aria-label={t('search')}>
      <div className="search-head">
        <p className="search-title">{search.title || site.name}</p>
        <Slogans state={state} />
      </div>
      <div className="search-card">
        <SearchForm state={state}>
          <Scopes state={state} />
          <SearchLine state={state} />
        </SearchForm>
        <HotWords state={state} />
        <AdvancedSearch state={state} />
      </div>
    </div>
  );
}
