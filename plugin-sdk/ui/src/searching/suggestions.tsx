import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useShell } from '../contract/context.tsx';
import { usePopup } from '../primitives/popup.ts';
import { suggestionsFor, type Suggested, type Suggestion } from './calls.ts';
import { useTexts } from './texts.ts';
import type { SearchState } from './types.ts';

/** Time in ms without a key before suggestions are asked for. */
export const PAUSE_MS = 180;

/** Two letters, or one character of a script that has no capitals, where it may be a word. */
const isEnough = (text: string) => text.length > 1 || /\p{Lo}/u.test(text);
const NONE: Suggested = { words: [], terms: [], titles: [] };

/** In a narrow window, the field is all of the search that fits above a page: turning to it shows what others search for. */
const isNarrow = () => window.matchMedia?.('(max-width: 767.98px)').matches ?? false;

/** The text that suggestions are for: that of the field, without the part that an input method is composing; undefined for no suggestions. */
function useTyped(input: HTMLInputElement | null) {
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    if (!input) return;
    const end = () => setTyped(input.value.trim() || (isNarrow() ? '' : undefined));
    const read = (event: Event) => void ((event as InputEvent).isComposing || end());
    const turn = () => void (input.value || end());
    const close = () => setTyped(undefined);
    // The reader is in the field before this code is there.
    if (document.activeElement === input) turn();
    const heard = { input: read, compositionend: end, focus: turn, blur: close };
    for (const [name, listener] of Object.entries(heard)) input.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(heard)) input.removeEventListener(name, listener);
    };
  }, [input]);
  return [typed, setTyped] as const;
}

/** Suggestions for a text in a type, after a pause; those before stay until others are there. */
function useSuggested(typed: string | undefined, scope: string): Suggested {
  const { api, bootstrap } = useShell();
  const siteId = bootstrap.site.id;
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (typed === undefined || (typed && !isEnough(typed))) return setFound(NONE);
    const ended = new AbortController();
    const timer = setTimeout(
      async () => {
        const next = await suggestionsFor(api, siteId, typed, scope, ended.signal);
        if (!ended.signal.aborted) setFound(next);
      },
      typed ? PAUSE_MS : 0,
    );
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [api, siteId, typed, scope]);
  return found;
}

/** Whether the header's button for the search is shown: then the whole widget is a popup, and the list is a part of it. */
const isInPopup = () => Boolean(document.querySelector('.frame-search-button')?.getClientRects().length);

/** In a narrow window, the list is the popup of the search: of it and the menu, one is open at a time. */
function useAlone(open: boolean, close: () => void) {
  const [alone, setAlone] = usePopup();
  const was = useRef(false);
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (isNarrow() && !isInPopup()) setAlone(open);
  }, [open, setAlone]);
  useEffect(() => {
    if (was.current && !alone) latest.current();
    was.current = alone;
  }, [alone]);
}

/**
 * The list below the field of a search (ARIA: a combobox with a list and manual selection). The field is the module's; what makes it a combobox
 * is added to it here.
 */
export function Suggestions({ state }: { state: SearchState }) {
  const t = useTexts();
  const { navigate } = useShell();
  const id = useId();
  const input = state.input.current;
  const [typed, setTyped] = useTyped(input);
  const found = useSuggested(typed, state.scope);
  const all = useMemo(() => [...found.words, ...found.terms, ...found.titles], [found]);
  const [active, setActive] = useState(-1);
  const open = typed !== undefined && all.length > 0;
  useEffect(() => setActive(-1), [all, open]);

  const close = () => setTyped(undefined);
  useAlone(open, close);
  const choose = ({ text, href }: Suggestion) => {
    close();
    if (href) return navigate(href);
    state.setQ(text);
    state.go(text);
  };

  const keys = useRef<(event: KeyboardEvent) => void>(undefined);
  keys.current = (event) => {
    if (event.isComposing) return;
    if (!open) return event.key === 'ArrowDown' ? setTyped(input?.value.trim() ?? '') : undefined;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = all[active];
    // One more place than entries: the field itself, with the typed text.
    if (step) setActive(((active + 1 + step + all.length + 1) % (all.length + 1)) - 1);
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Escape' || event.key === 'Enter') close();
    else return;
    if (event.key === 'Enter' && !chosen) return;
    event.preventDefault();
    // Escape closes the list, not the overlay around it.
    event.stopPropagation();
  };
  useEffect(() => {
    if (!input) return;
    const press = (event: KeyboardEvent) => keys.current?.(event);
    input.addEventListener('keydown', press);
    return () => input.removeEventListener('keydown', press);
  }, [input]);

  useLayoutEffect(() => {
    input?.setAttribute('role', 'combobox');
    input?.setAttribute('aria-autocomplete', 'list');
    input?.setAttribute('aria-expanded', String(open));
    const set = (name: string, value: string | false) => (value ? input?.setAttribute(name, value) : input?.removeAttribute(name));
    set('aria-controls', open && `${id}-list`);
    set('aria-activedescendant', open && active >= 0 && `${id}-${active}`);
  }, [input, open, active, id]);
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [active, id]);

  const group = (label: string, from: number, entries: Suggestion[]) =>
    entries.length > 0 && (
      <div role="group" aria-label={label}>
        <div className="search-suggested" aria-hidden="true">
          {label}
        </div>
        {entries.map((entry, index) => (
          <div
            key={`${entry.text} ${entry.href}`}
            id={`${id}-${from + index}`}
            role="option"
            aria-selected={active === from + index}
            // The focus stays in the field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(entry)}
          >
            <bdi>{entry.text}</bdi>
          </div>
        ))}
      </div>
    );
  return (
    <>
      {open && (
        <div className="search-suggestions" role="listbox" id={`${id}-list`} aria-label={t('suggestions')}>
          {group(t('words'), 0, found.words)}
          {group(t('terms'), found.words.length, found.terms)}
          {group(t('titles'), found.words.length + found.terms.length, found.titles)}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {open ? t('count', { count: all.length }) : ''}
      </p>
    </>
  );
}
