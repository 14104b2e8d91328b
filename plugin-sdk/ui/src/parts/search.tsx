import { Link, loadSearching, useApi, useShell, useSite, useT, type SearchOption, type SearchState } from '@masthead/ui-sdk';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Icon, MAGNIFIER } from '../icons/icons.tsx';

type Searching = Awaited<ReturnType<typeof loadSearching>>['Searching'];

const NONE: SearchOption[] = [];

/** The state of a search form, and the part that is loaded when a reader turns to it. */
export interface Search extends SearchState {
  Searching: Searching | undefined;
  /** Loads it. */
  wake(): void;
}

/** The state of a search form. Its first rendering follows from the page; the type and condition in the address of a list come after it. */
export function useSearch(): Search {
  const shell = useShell();
  const { search, page } = shell.bootstrap;
  const { scopes } = search;
  const known = (type: string | null | undefined) => scopes.find((scope) => scope.type === type)?.type ?? scopes[0]?.type ?? 'publication';
  const shown = page.kind === 'search' ? page : undefined;
  const [q, setQ] = useState(shown?.q ?? '');
  const [scope, setScope] = useState(known(shown?.scope));
  const [listed, setOptions] = useState(NONE);
  const [chosen, setField] = useState('');
  const [asked, setAsked] = useState<SearchState['asked']>();
  const [Loaded, setLoaded] = useState<Searching>();
  const input = useRef<HTMLInputElement>(null);

  const { target, option } = scopes.find(({ type }) => type === scope) ?? {};
  const options = option ? (listed.length ? listed : [option]) : [];
  const field = chosen || options[0]?.field || '0';
  const hrefOf = (words: string) => {
    const query = new URLSearchParams(target ? { q: words } : { q: words, type: scope });
    if (field !== '0') query.set('field', field);
    return `${target ? `${target}&` : `${search.action}?`}${query}`;
  };
  const wake = (otherwise?: () => void) =>
    void loadSearching().then(
      ({ Searching }) => setLoaded(() => Searching),
      () => otherwise?.(),
    );
  const choose = (type: string, condition = '') => {
    if (type !== scope) setOptions(NONE);
    setScope(type);
    setField(condition);
  };

  // Each navigation resets the form to the words of the page: none, except on results. Text that was typed before the module was there
  // stays. The address is not read while the form is rendered: the host renders it once for all pages.
  const arrived = useRef(false);
  const arrive = useRef<() => void>(undefined);
  arrive.current = () => {
    const given = new URLSearchParams(shell.path.split('?')[1]);
    const again = arrived.current;
    arrived.current = true;
    if (again || !input.current?.value) setQ(shown?.q ?? given.get('q') ?? '');
    if (again || given.has('type')) choose(known(shown?.scope || given.get('type')), given.get('field') ?? '');
    if (given.has('field')) wake();
  };
  useEffect(() => arrive.current?.(), [page]);

  return {
    search,
    q,
    setQ,
    scope,
    target: target ?? undefined,
    pick: choose,
    options,
    setOptions,
    field,
    setField: (next) => {
      setField(next);
      setQ('');
    },
    asked,
    setAsked,
    go: (words) => {
      setAsked({ words });
      wake(() => words.trim() && shell.navigate(hrefOf(words.trim())));
    },
    hrefOf,
    input,
    Searching: Loaded,
    wake: () => wake(),
  };
}

/** The form, which works without scripts. */
export function SearchForm({ state, children }: { state: Search; children: ReactNode }) {
  return (
    <form
      action={state.search.action}
      method="get"
      onFocus={state.wake}
      // A reader may have turned to the form before the module was there.
      onInput={state.wake}
      onPointerEnter={state.wake}
      onSubmit={(event) => {
        event.preventDefault();
        state.go(state.q);
      }}
    >
      {children}
    </form>
  );
}

/** The types that can be searched, side by side. */
export function Scopes({ state }: { state: Search }) {
  const t = useT();
  return (
    <fieldset className="search-scopes" hidden={state.search.scopes.length < 2}>
      <legend className="visually-hidden">{t('scope')}</legend>
      {state.search.scopes.map(({ type, name }) => (
        <label key={type}>
          <input type="radio" name="type" value={type} checked={type === state.scope} onChange={() => state.pick(type)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The same in one line: for a form that has only one. */
export function ScopeSelect({ state }: { state: Search }) {
  const t = useT();
  return (
    <select
      name="type"
      className="search-scope"
      aria-label={t('scope')}
      hidden={state.search.scopes.length < 2}
      value={state.scope}
      onChange={(event) => state.pick(event.target.value)}
    >
      {state.search.scopes.map(({ type, name }) => (
        <option key={type} value={type}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Option selector, field and button; `children` stand before them. */
export function SearchLine({ state, children }: { state: Search; children?: ReactNode }) {
  const t = useT();
  return (
    <div className="search-line">
      {children}
      {state.options.length > 0 && (
        <select
          name="field"
          className="search-option"
          aria-label={state.search.optionLabel}
          value={state.field}
          onChange={(event) => state.setField(event.target.value)}
        >
          {state.options.map(({ label, field }) => (
            <option key={field} value={field}>
              {label}
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
        <Icon path={MAGNIFIER} className="search-icon" />
        <span>{t('search')}</span>
      </button>
      {state.Searching && <state.Searching state={state} />}
    </div>
  );
}

/** Popular searches: the editors' words, and then those that the host counts. Its room is kept where there are none. */
export function HotWords({ state }: { state: Search }) {
  const t = useT();
  const api = useApi();
  const { lang } = useShell().bootstrap;
  const { id } = useSite();
  const [counted, setCounted] = useState<{ of: string; words: string[] }>();
  useEffect(() => {
    const query = { siteId: id, page: 0, size: 10 };
    api.get<{ content?: string[] }>('/rc-pub/front/hisSearch/hotWords', query).then(
      ({ content }) => content?.length && setCounted({ of: lang, words: content }),
      () => undefined,
    );
  }, [api, id, lang]);
  const words = counted?.of === lang ? counted.words : state.search.hotWords.slice(0, 10);
  return (
    <div className="search-hot">
      {words.length > 0 && (
        <>
          <span id="search-hot-words">{t('hot')}</span>
          <ul aria-labelledby="search-hot-words">
            {words.map((word) => (
              <li key={word}>
                <a
                  href={state.hrefOf(word)}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                    event.preventDefault();
                    state.setQ(word);
                    state.go(word);
                  }}
                >
                  <bdi>{word}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** The site's slogans, one a line. */
export function Slogans({ state }: { state: Search }) {
  return (
    <div className="search-slogans">
      {state.search.slogans.map((slogan) => (
        <p key={slogan}>{slogan}</p>
      ))}
    </div>
  );
}

/** The way to the advanced search, where the site links it. */
export function AdvancedSearch({ state }: { state: Search }) {
  const { advanced } = state.search;
  return (
    advanced && (
      <Link className="search-advanced" href={advanced.href} newTab>
        {advanced.label}
      </Link>
    )
  );
}
