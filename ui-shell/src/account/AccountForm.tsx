import { ApiError, useShell, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { textOf } from '../calls/api.ts';
import { Captcha, type CaptchaHandle } from '../members/Captcha.tsx';
import { forgetFault, showFaults } from '../members/formErrors.ts';
import { useCode } from '../members/useCode.tsx';
import { enter, signInNext } from './enter.ts';
import type { Kind, Values } from './kinds.ts';
import { useCalls } from './useCalls.ts';

/** Statuses of a call. */
const CAPTCHA_NEEDED = 428;
const WRONG = 401;

const part = (form: HTMLFormElement, name: string) => form.querySelector<HTMLElement>(`[data-part="${name}"]`);

const valuesOf = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

const submitOf = (form: HTMLFormElement) => form.querySelector<HTMLButtonElement>('button[type=submit]');

interface Said {
  text: string;
  kind: 'done' | 'failed';
}

/** What a form that the host has drawn can do. `onChanged`: something of the account is another than before. */
export function AccountForm({ form, kind, onChanged }: { form: HTMLFormElement; kind: Kind; onChanged(): void }) {
  const t = useT();
  const { bootstrap, busy } = useShell();
  const { api, message } = useCalls();
  const captcha = useRef<CaptchaHandle>(null);
  const [needsCaptcha, setNeedsCaptcha] = useState(false);
  const [said, setSaid] = useState<Said>();
  const sending = useRef(false);

  const show = (faults: Record<string, string | undefined>) =>
    showFaults(form, Object.fromEntries(Object.entries(faults).map(([name, key]) => [name, key && t(key)])));

  const code = useCode(kind.code?.purpose ?? 'login', () => {
    const to = kind.code?.to ?? '';
    const fault = kind.check(valuesOf(form))[to];
    return show({ [to]: fault }) ? (valuesOf(form)[to] ?? '').trim() : undefined;
  });

  const failed = (error: unknown) => {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === undefined) console.warn(error);
    if (status === CAPTCHA_NEEDED) setNeedsCaptcha(true);
    captcha.current?.renew();
    setSaid({ text: textOf(error, t('call_failed')), kind: 'failed' });
    // A password that was wrong is typed anew.
    const secret = status === WRONG && form.querySelector<HTMLInputElement>('input[type=password]');
    if (secret) secret.select();
  };

  const setSending = (on: boolean) => {
    sending.current = on;
    if (on) submitOf(form)?.setAttribute('aria-disabled', 'true');
    else submitOf(form)?.removeAttribute('aria-disabled');
  };

  const submit = async () => {
    const values = valuesOf(form);
    if (sending.current || !show(kind.check(values))) return;
    const answer = needsCaptcha ? captcha.current?.answer() : undefined;
    if (needsCaptcha && !answer) return;
    setSending(true);
    try {
      await busy(kind.send(api, values, answer));
      const text = message() || t('submit_success');
      // The form stays as it is while the next document is on its way: nothing is to be sent twice.
      if (kind.then === 'enter') return enter(bootstrap, form.dataset['back'], text);
      if (kind.then === 'sign-in') return signInNext(bootstrap, form.dataset['back'], text);
      setSaid({ text, kind: 'done' });
      form.reset();
      onChanged();
    } catch (error) {
      failed(error);
    }
    setSending(false);
  };

  const latest = useRef({ submit, setSending });
  latest.current = { submit, setSending };
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const send = (event: Event) => {
      event.preventDefault();
      void latest.current.submit();
    };
    form.addEventListener('submit', send, { signal });
    form.addEventListener('input', forgetFault, { signal });
    // Back may show the document as it was left.
    addEventListener('pageshow', ({ persisted }) => persisted && latest.current.setSending(false), { signal });
    const button = submitOf(form);
    if (button) button.disabled = false;
    return () => {
      control.abort();
      if (button) button.disabled = true;
    };
  }, [form]);

  const [send, below] = [part(form, 'send'), part(form, 'below')];
  return (
    <>
      {send && createPortal(code.button, send)}
      {below &&
        createPortal(
          <>
            {kind.code && code.below}
            {needsCaptcha && <Captcha ref={captcha} />}
            <p className="form-status" role="status" data-kind={said?.kind}>
              {said?.text}
            </p>
          </>,
          below,
        )}
    </>
  );
}
