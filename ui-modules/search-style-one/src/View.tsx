import { Tabs, useT, type SearchProps } from '@masthead/ui-sdk';
import { EmptySearch, SearchIcon, useSearch } from '@masthead/ui-sdk/search';

/** On the home page: a band of the site's colour with title, scopes as tabs and hot words. On other pages: a form in one line. */
export function View({ search, home }: SearchProps) {
  const t = useT();
  const state = useSearch();
  const tabs = search.scopes.map((scope) => ({ key: scope.type, label: scope.name }));
  const form = (
    <form action={search.action} method="get" onSubmit={state.submit} noValidate>
      {!home && tabs.length > 1 && (
        <select name="type" aria-label={t('scope')} value={state.scope} onChange={(event) => state.setScope(event.target.value)}>
          {search.scopes.map((scope) => (
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
        <span>{t('search')}</span>
      </button>
    </form>
  );
  return (
    <div className="frame-search" data-module="search-style-one" role="search" aria-label={t('search')}>
      {home && search.title && <p className="search-title">{search.title}</p>}
      {home && search.slogans.length > 0 && (
        <div className="search-slogans">
          {search.slogans.map((slogan) => (
            <p key={slogan}>{slogan}</p>
          ))}
        </div>
      )}
      {home && tabs.length > 1 ? (
        <Tabs label={t('scope')} className="search-scopes" tabs={tabs} value={state.scope} onChange={state.setScope}>
          {form}
        </Tabs>
      ) : (
        form
      )}
      {home && search.hotWords.length > 0 && (
        <div className="search-hot">
          <span id="search-hot-words">{t('hot')}</span>
          <ul aria-labelledby="search-hot-words">
            {search.hotWords.slice(0, 10).map((word) => (
              <li key={word}>
                <button
                  type="button"
                  onClick={() => {
                    state.setQ(word);
                    state.go(word);
                  }}
                >
                  <bdi>{word}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <EmptySearch state={state} />
    </div>
  );
}
