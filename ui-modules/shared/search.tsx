import { Button, Dialog, useBootstrap, useNavigate, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState, type FormEvent } from 'react';

/** The state of a search form: words, scope, and whether an empty search was refused. */
export function useSearch() {
  const { search, page } = useBootstrap();
  const navigate = useNavigate();
  const first = search.scopes[0]?.type ?? 'article';
  const shown = page.kind === 'search' ? page.q : '';
  const [q, setQ] = useState(shown);
  const [scope, setScope] = useState(first);
  const [refused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // Each navigation resets the words to those of the page (empty except on results) and the scope to that of the address or the first.
  useEffect(() => {
    setQ(shown);
    const asked = new URLSearchParams(location.search).get('type');
    setScope(page.kind === 'search' && search.scopes.some(({ type }) => type === asked) ? (asked as string) : first);
  }, [page, shown, first, search.scopes]);
  const go = (words: string) => {
    if (!words.trim()) return setRefused(true);
    const to = new URL(search.action, location.href);
    to.searchParams.set('q', words.trim());
    to.searchParams.set('type', scope);
    navigate(to.pathname + to.search);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(q);
  };
  return { search, q, setQ, scope, setScope, go, submit, input, refused, setRefused };
}

export function EmptySearch({ state }: { state: ReturnType<typeof useSearch> }) {
  const t = useT();
  return (
    <Dialog open={state.refused} onOpenChange={state.setRefused} title={t('tips')} description={t('enter')} returnFocus={() => state.input.current}>
      <div className="mh-dialog-actions">
        <Button variant="primary" onClick={() => state.setRefused(false)}>
          {t('ok')}
        </Button>
      </div>
    </Dialog>
  );
}

export const SEARCH_ICON = (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="search-icon">
    <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20" />
  </svg>
);
