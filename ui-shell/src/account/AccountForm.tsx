import { ApiError, useShell, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
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
    if (!(error instanceof ApiError)) throw error;
    if (error.status === CAPTCHA_NEEDED) setNeedsCaptcha(true);
    captcha.current?.renew();
    setSaid({ text: error.message, kind: 'failed' });
    // A password that was wrong is typed anew.
    const secret = error.status === WRONG && form.querySelector<HTMLInputElement>('input[type=password]');
    if (secret) secret.select();
  };

  const submit = async () => {
    const values = valuesOf(form);
    if (sending.current || !show(kind.check(values))) return;
    const answer = needsCaptcha ? captcha.current?.answer() : undefined;
    if (needsCaptcha && !answer) return;
    sending.current = true;
    submitOf(form)?.setAttribute('aria-disabled', 'true');
    try {
      await busy(kind.send(api, values, answer));
      const told = message() || t('submitted_done');
      if (kind.then === 'enter') return enter(bootstrap, form.dataset['back'], told);
      if (kind.then === 'sign-in') return signInNext(bootstrap, form.dataset['back'], told);
      setSaid({ text: told, kind: 'done' });
      form.reset();
      onChanged();
    } catch (error) {
      failed(error);
    } finally {
      sending.current = false;
      submitOf(form)?.removeAttribute('aria-disabled');
    }
  };

  const latest = useRef(submit);
  latest.current = submit;
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const send = (event: Event) => {
      event.preventDefault();
      latest.current().catch((error: unknown) => setSaid({ text: error instanceof Error ? error.message : String(error), kind: 'failed' }));
    };
    form.addEventListener('submit', send, { signal });
    form.addEventListener('input', forgetFault, { signal });
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
