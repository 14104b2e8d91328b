import { useT } from '@masthead/ui-sdk';
import { EmptySearch, SearchIcon, useSearch } from '@masthead/ui-sdk/search';

/** A search form in one line below the header. */
export function View() {
  const t = useT();
  const state = useSearch();
  return (
    <div className="frame-search" data-module="search-header-bar" role="search" aria-label={t('search')}>
      <form action={state.search.action} method="get" onSubmit={state.submit} noValidate>
        {state.search.scopes.length > 1 && (
          <select name="type" aria-label={t('scope')} value={state.scope} onChange={(event) => state.setScope(event.target.value)}>
            {state.search.scopes.map((scope) => (
              <option key={scope.type} value={scope.type}>
                {scope.name}
              </option>
            ))}
          </select>
        )}
        <input
          ref={state.input}
          type="search"
          name="q"
          aria-label={t('term')}
          placeholder={t('placeholder')}
          autoComplete="off"
          value={state.q}
          onChange={(event) => state.setQ(event.target.value)}
        />
        <button type="submit" aria-label={t('search')}>
          <SearchIcon />
        </button>
      </form>
      <EmptySearch state={state} />
    </div>
  );
}
