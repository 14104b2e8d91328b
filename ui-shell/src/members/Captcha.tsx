import { Button, useShell, useT } from '@masthead/ui-sdk';
import { useCallback, useEffect, useId, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { textOf } from '../calls/api.ts';
import { useFocusKept } from './useFocusKept.ts';
import { solve, type Challenge } from './work.ts';

/** What a call takes to know that a person asks, or a browser that has worked for it. */
export interface CaptchaAnswer {
  id: string;
  text?: string;
  number?: number;
}

interface Task {
  id: string;
  image: string;
  challenge: Challenge;
  expires: string;
}

export interface CaptchaHandle {
  /** The answer; undefined if there is none yet, which the reader is told. */
  answer(): CaptchaAnswer | undefined;
  /** Asks for another task: each answer is good for one call. */
  renew(): void;
}

type Work = { state: 'none' } | { state: 'working'; share: number } | { state: 'done'; number: number };

const NONE: Work = { state: 'none' };

/** The greatest time that a browser waits for. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A picture with letters to type or, for everybody who cannot read it, a task that the browser solves in some seconds. Either answer is as good as
 * the other.
 */
export function Captcha({ ref, onEnter }: { ref: Ref<CaptchaHandle>; /** Called for the Enter key; the field takes the focus then. */ onEnter?(): void }) {
  const t = useT();
  const { api } = useShell();
  const id = useId();
  const [round, setRound] = useState(0);
  const [task, setTask] = useState<Task>();
  const [failure, setFailure] = useState<unknown>();
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const [work, setWork] = useState<Work>(NONE);
  const input = useRef<HTMLInputElement>(null);
  const done = useRef<HTMLParagraphElement>(null);
  // The field and the buttons go when the task is solved.
  useFocusKept(done, work.state === 'done');
  const working = useRef(new AbortController());
  /** The task, which may still be on its way: what is asked for meanwhile waits for it. */
  const asked = useRef<Promise<Task>>(undefined);
  const renew = useCallback(() => setRound((before) => before + 1), []);

  useEffect(() => {
    const control = new AbortController();
    working.current.abort();
    setWork(NONE);
    setText('');
    asked.current = api.get<Task>('/rc-pub/api/captcha', {}, control.signal);
    asked.current
      .then((found) => {
        setTask(found);
        setFailure(undefined);
      })
      .catch((error: unknown) => control.signal.aborted || setFailure(error));
    return () => control.abort();
  }, [api, round]);
  // One that is too old is replaced.
  useEffect(() => {
    if (!task) return;
    const left = Math.min(Math.max(Date.parse(task.expires) - Date.now(), 1000), LONGEST_MS);
    const timer = setTimeout(renew, Number.isFinite(left) ? left : LONGEST_MS);
    return () => clearTimeout(timer);
  }, [task, renew]);
  const takesFocus = useRef(Boolean(onEnter));
  useEffect(() => {
    if (takesFocus.current) input.current?.focus();
    return () => working.current.abort();
  }, []);

  const begin = async () => {
    if (!asked.current) return;
    const { signal } = (working.current = new AbortController());
    setWork({ state: 'working', share: 0 });
    setFault('');
    try {
      const { challenge } = await asked.current;
      signal.throwIfAborted();
      const number = await solve(challenge, signal, (share) => setWork({ state: 'working', share }));
      setWork({ state: 'done', number });
    } catch (error) {
      if (signal.aborted) return;
      console.warn(error);
      setWork(NONE);
      renew();
    }
  };

  useImperativeHandle(ref, () => ({
    renew,
    answer: () => {
      const typed = text.trim();
      if (task && work.state === 'done') return { id: task.id, number: work.number };
      if (task && typed) return { id: task.id, text: typed };
      setFault(t('captcha_required'));
      input.current?.focus();
      return undefined;
    },
  }));

  const error = fault || (failure ? textOf(failure, t('call_failed')) : '');
  return (
    <div className="captcha field" role="group" aria-label={t('captcha')}>
      {work.state !== 'done' && (
        <>
          <label htmlFor={id}>{t('captcha_label')}</label>
          <div className="captcha-picture">
            {task && <img src={task.image} alt={t('captcha_picture')} width={160} height={56} />}
            <Button onClick={renew}>{t('captcha_new')}</Button>
          </div>
          <input
            ref={input}
            id={id}
            value={text}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={16}
            aria-invalid={fault ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={(event) => {
              setText(event.target.value);
              setFault('');
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !onEnter) return;
              event.preventDefault();
              onEnter();
            }}
          />
        </>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {work.state === 'done' ? (
        <p ref={done} className="captcha-work" role="status" tabIndex={-1} data-done>
          {t('captcha_done')}
        </p>
      ) : (
        <p className="captcha-work">
          <Button aria-disabled={work.state === 'working' || undefined} onClick={() => work.state === 'none' && void begin()}>
            {t('captcha_work')}
          </Button>
          {work.state === 'working' && (
            <>
              <span role="status">{t('captcha_working')}</span>
              <progress value={work.share} aria-label={t('captcha_working')} />
            </>
          )}
        </p>
      )}
    </div>
  );
}
