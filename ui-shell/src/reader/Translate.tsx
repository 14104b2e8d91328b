import { ApiError, Button, dirOf, tagOf, useApi, useBootstrap, useT, type Translate } from '@masthead/ui-sdk';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from './Icon.tsx';
import type { ReaderProps } from './props.ts';
import { headingsOf, paragraphsOf, textsOf } from './sections.ts';
import { type Place, useCopy, useInserted } from './tools.ts';
import './translate.css';

const AFTER: Place = (heading, host) => heading.after(host);

interface Answer {
  trans_result?: { src: string; dst: string }[];
  from?: string;
  error_code?: string;
}

type State = { status: 'loading' } | { status: 'result'; lines: string[] } | { status: 'unauthorized' | 'timeout' };

const UNAUTHORIZED = '52003';
const CLOSE = 'M6 6l12 12M18 6L6 18';

/** The name of a language in that language, by route code. */
function ownName(code: string): string {
  const tag = tagOf(code);
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? code;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

interface SectionProps {
  heading: HTMLElement;
  targets: string[];
  /** The language that was chosen last on this page, as route code. */
  preferred: { current: string | undefined };
  onSay(text: string): void;
}

function Section({ heading, targets, preferred, onSay }: SectionProps) {
  const t = useT();
  const api = useApi();
  const { lang, languages } = useBootstrap();
  // The labels of this panel are in the page's language, which may differ from the article's.
  const own = languages.find((language) => language.code === lang);
  const page = { lang: own?.tag, dir: own?.dir };
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  // The language of the text if the document marks it, otherwise that of the page.
  const source = heading.closest<HTMLElement>('[lang]')?.lang || lang;
  const usual = /^zh/.test(source) ? 'en' : 'zh';
  const [target, setTarget] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>({ status: 'loading' });
  const done = useRef(new Map<string, string[]>());
  const { said, copy } = useCopy();
  const words = useRef(t);
  words.current = t;
  const open = target !== undefined;
  const name = (heading.textContent ?? '').trim();

  useEffect(() => {
    if (target === undefined) return;
    const t: Translate = (key, values) => words.current(key, values);
    let gone = false;
    const show = (next: State, text: string) => {
      if (gone) return;
      setState(next);
      onSay(text);
    };
    const finish = (lines: string[]) => {
      done.current.set(target, lines);
      show({ status: 'result', lines }, t('translate_done', { language: ownName(target) }));
    };
    const fail = (code: string | undefined) =>
      code === UNAUTHORIZED ? show({ status: 'unauthorized' }, t('translate_unauthorized')) : show({ status: 'timeout' }, t('translate_timeout'));
    const ask = async () => {
      const lines: string[] = [];
      for (const q of textsOf(paragraphsOf(heading))) {
        const answer = await api.post<Answer>('/rc-pub/front/front-article/translate/getAiTranslateResult', { from: 'auto', to: target, salt: Date.now(), q });
        if (gone) return;
        if (!answer.trans_result?.length) return fail(answer.error_code);
        lines.push(...answer.trans_result.map((line) => line.dst));
      }
      finish(lines);
    };
    const before = done.current.get(target);
    if (before) {
      finish(before);
    } else {
      show({ status: 'loading' }, t('translate_loading'));
      ask().catch((error: unknown) => fail(error instanceof ApiError ? (error.data as Answer | null | undefined)?.error_code : undefined));
    }
    return () => {
      gone = true;
    };
  }, [api, heading, target, attempt, onSay]);

  const close = () => {
    setTarget(undefined);
    onSay('');
    button.current?.focus({ preventScroll: true });
  };
  const choose = (code: string) => {
    preferred.current = code;
    setTarget(code);
  };
  const again = state.status === 'timeout';
  return (
    <>
      <div className="translate-tools" lang={page.lang}>
        <button
          ref={button}
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          aria-label={`${t('translate')}: ${name}`}
          onClick={() => (open ? close() : setTarget(preferred.current ?? (targets.includes(usual) ? usual : targets[0])))}
        >
          <Icon path="M4 5.5h9M8.5 3.5v2M11.5 5.5c-.8 3.8-3.3 6.8-7 8.5M5.5 8.5c1.3 2.3 3.2 4 5.7 5M12.5 20.5l4-10 4 10M13.8 17.5h5.4" />
          <span aria-hidden="true">{t('translate')}</span>
        </button>
      </div>
      {open && (
        <div
          id={id}
          className="translate-panel"
          role="group"
          {...page}
          aria-label={`${t('translate')}: ${name}`}
          data-status={state.status}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            close();
          }}
        >
          <div className="translate-head">
            <label>
              <span>{t('translate_to')}</span>
              <select value={target} onChange={(event) => choose(event.target.value)}>
                {targets.map((code) => (
                  <option key={code} value={code} lang={tagOf(code)}>
                    {ownName(code)}
                  </option>
                ))}
              </select>
            </label>
            {state.status === 'result' && (
              <Button variant="quiet" onClick={() => copy(state.lines.join('\n\n'))}>
                <span aria-live="polite">{said || t('copy')}</span>
              </Button>
            )}
            <Button variant="icon" aria-label={t('close')} onClick={close}>
              <Icon path={CLOSE} />
            </Button>
          </div>
          {state.status === 'loading' && <p className="translate-wait">{t('translate_loading')}</p>}
          {state.status === 'result' && (
            <>
              <div className="translate-text" lang={tagOf(target)} dir={dirOf(target)}>
                {state.lines.map((line, index) => (
                  <p key={index}>{line}</p>
                ))}
              </div>
              <p className="translate-note">
                <strong>{t('translate_label')}</strong> {t('translate_note')}
              </p>
            </>
          )}
          {(again || state.status === 'unauthorized') && (
            <div className="translate-failure">
              <p>{again ? t('translate_timeout') : t('translate_unauthorized')}</p>
              {again && <Button onClick={() => setAttempt(attempt + 1)}>{t('retry')}</Button>}
            </div>
          )}
        </div>
      )}
    </>
  );
}

/** Machine translation below the heading of the abstract and of each section, for sites that enable it. */
export default function Translations({ article, targets }: ReaderProps & { targets: string[] }) {
  const headings = useMemo(() => headingsOf(article), [article]);
  const hosts = useInserted(headings, 'translate', AFTER);
  const preferred = useRef<string>(undefined);
  const [said, setSaid] = useState('');
  const say = useCallback((text: string) => setSaid(text), []);
  // The style sheet reserves room for the button; the host sets this attribute too, so that nothing moves.
  useLayoutEffect(() => {
    article.dataset['translate'] = '';
  }, [article]);
  return (
    <>
      {headings.map((heading, index) => {
        const host = hosts.get(heading);
        return host && createPortal(<Section heading={heading} targets={targets} preferred={preferred} onSay={say} />, host, String(index));
      })}
      <p className="mh-hidden" role="status">
        {said}
      </p>
    </>
  );
}
