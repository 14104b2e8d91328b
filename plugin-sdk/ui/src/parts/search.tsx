import { Button, Dialog, useBootstrap, useNavigate, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Icon, MAGNIFIER } from '../icons/icons.tsx';

/** The state of a search form: words, scope, and whether an empty search was refused. */
export function useSearch() {
  const { search, page } = useBootstrap();
  const navigate = useNavigate();
  const first = search.scopes[0]?.type ?? 'article';
  const shown = page.kind === 'search' ? page.q : '';
  const asked = page.kind === 'search' ? page.scope : undefined;
  const searched = search.scopes.some(({ type }) => type === asked) ? (asked as string) : first;
  const [q, setQ] = useState(shown);
  const [scope, setScope] = useState(searched);
  const [refused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // Each navigation resets words and scope to those of the page (none and the first, except on results). What was typed before the module
  // was there stays.
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    setQ(shown);
    setScope(searched);
  }, [page, shown, searched]);
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

export const SearchIcon = () => <Icon path={MAGNIFIER} className="search-icon" />;
