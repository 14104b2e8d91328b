import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useShell } from '../contract/context.tsx';
import { Button, Dialog } from '../primitives/primitives.tsx';
import { conditionsOf, refusalOf } from './calls.ts';
import { Suggestions } from './suggestions.tsx';
import { useTexts } from './texts.ts';
import type { SearchState } from './types.ts';

/** Fills the option selector with the conditions of the type. Without an answer, it keeps its first entry. */
function useConditions({ scope, options, setOptions }: SearchState) {
  const { api, bootstrap } = useShell();
  const { id: site } = bootstrap.site;
  const { lang } = bootstrap;
  const wanted = options.length > 0;
  const set = useRef(setOptions);
  set.current = setOptions;
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    conditionsOf(api, site, scope).then(
      (list) => !gone && list.length > 0 && set.current(list),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [api, site, lang, scope, wanted]);
}

/** Shows the results: lists of their own type in a new tab, or in this one where the browser opens none. */
function show(href: string, inNewTab: boolean, navigate: (to: string) => void) {
  const tab = inNewTab ? window.open(href, '_blank') : null;
  if (tab) tab.opener = null;
  else navigate(href);
}

/** Says at the field that the results of a type open in a new tab. */
function NewTab({ state, text }: { state: SearchState; text: string }) {
  const id = useId();
  useLayoutEffect(() => {
    const input = state.input.current;
    input?.setAttribute('aria-describedby', id);
    return () => input?.removeAttribute('aria-describedby');
  }, [state.input, id]);
  return (
    <p id={id} className="visually-hidden">
      {text}
    </p>
  );
}

/** The parts of a search widget beyond its form. They stand beside the field. */
export function Searching({ state }: { state: SearchState }) {
  const t = useTexts();
  const { api, busy, navigate } = useShell();
  const [isEmpty, setEmpty] = useState(false);
  const [said, setSaid] = useState('');
  useConditions(state);

  const { asked } = state;
  const latest = useRef(state);
  latest.current = state;
  const run = useRef(0);
  useEffect(() => {
    if (!asked) return;
    const { scope, target, hrefOf, setAsked } = latest.current;
    const words = asked.words.trim();
    setAsked(undefined);
    setSaid('');
    if (!words) return setEmpty(true);
    // The search as it was started: conditions that the reader selects meanwhile are for the next one, which ends this one.
    const href = hrefOf(words);
    const own = ++run.current;
    void busy(refusalOf(api, words, scope, t('failed'))).then((refusal) => {
      if (own !== run.current) return;
      if (refusal) setSaid(refusal);
      else show(href, target !== undefined, navigate);
    });
  }, [asked, api, busy, navigate, t]);
  useEffect(() => setSaid(''), [state.q, state.scope]);
  useEffect(() => () => void (run.current = -1), []);

  return (
    <>
      <Suggestions state={state} />
      {state.target !== undefined && <NewTab state={state} text={t('new_tab')} />}
      <p className="search-said" role="status">
        {said}
      </p>
      <Dialog open={isEmpty} onOpenChange={setEmpty} title={t('tips')} description={t('enter')} returnFocus={() => state.input.current}>
        <div className="mh-dialog-actions">
          <Button variant="primary" onClick={() => setEmpty(false)}>
            {t('ok')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
