import { Link, useT, type SearchProps } from '@masthead/ui-sdk';
import { CHEVRON, Icon } from '@masthead/ui-sdk/icons';
import { AdvancedSearch, HotWords, Scopes, ScopeSelect, SearchForm, SearchLine, Slogans, useSearch } from '@masthead/ui-sdk/search';

/** On the home page: a banner with the title, the site's slogans and a way to what many readers come for; the field lies along its lower edge. On other pages: a line. */
export function View({ site, search, home }: SearchProps) {
  const t = useT();
  const state = useSearch();
  const entry = search.quickEntry;
  return (
    <div className="frame-search" data-module="search-banner" role="search" aria-label={t('search')}>
      {home && (
        <div className="search-board">
          <p className="search-title">{search.title || site.name}</p>
          <Slogans state={state} />
          {entry && (
            <Link className="search-entry" href={entry.href}>
              {entry.label}
              <Icon path={CHEVRON} />
            </Link>
          )}
        </div>
      )}
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
