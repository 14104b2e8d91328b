import { useT } from '@masthead/ui-sdk';
import { AdvancedSearch, ScopeSelect, SearchForm, SearchLine, useSearch } from '@masthead/ui-sdk/search';

/** A search form in one line below the header. */
export function View() {
  const t = useT();
  const state = useSearch();
  return (
    <div className="frame-search" data-module="search-header-bar" role="search" aria-label={t('search')}>
      <SearchForm state={state}>
        <SearchLine state={state}>
          <ScopeSelect state={state} />
        </SearchLine>
      </SearchForm>
      <AdvancedSearch state={state} />
    </div>
  );
}
