import { Button, useShell, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { textOf } from '../calls/api.ts';
import { Captcha, type CaptchaHandle } from './Captcha.tsx';
import { useFocusKept } from './useFocusKept.ts';

/** What a code is for. One that was sent for one purpose is of no use for another. */
export type Purpose = 'login' | 'register' | 'reset' | 'mobile' | 'email' | 'subscribe' | 'bind' | 'erase';

interface Sent {
  /** Seconds until the next code may be asked for. */
  resendAfter: number;
  /** Seconds for which the code is valid. */
  expires: number;
}

/** The seconds until `end`, by the clock of the page, which nobody sets back. */
function useSeconds(end: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    setNow(performance.now());
    if (end <= performance.now()) return;
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, [end]);
  return Math.max(0, Math.ceil((end - now) / 1000));
}

/**
 * Sends codes to a mobile number or an e-mail address. `target` reads and checks it, and returns undefined if it is no good. Returns the button,
 * which stands beside the field of the code, and what stands below it: the captcha, and what came of it.
 */
export function useCode(purpose: Purpose, target: () => string | undefined): { button: ReactNode; below: ReactNode } {
  const t = useT();
  const { api } = useShell();
  const captcha = useRef<CaptchaHandle>(null);
  const [asking, setAsking] = useState(false);
  const [sending, setSending] = useState(false);
  const [until, setUntil] = useState(0);
  const [said, setSaid] = useState<{ text: string; kind: 'done' | 'failed' }>();
  const left = useSeconds(until);
  const wasSent = until > 0;
  const status = useRef<HTMLParagraphElement>(null);
  // The captcha goes when the code is sent, with the field that may have the focus.
  useFocusKept(status, said);

  const send = async () => {
    const to = target();
    if (to === undefined || sending || left) return;
    if (!asking) {
      setSaid(undefined);
      return setAsking(true);
    }
    const answer = captcha.current?.answer();
    if (!answer) return;
    setSending(true);
    try {
      const { resendAfter, expires } = await api.post<Sent>('/rc-pub/api/sendReceiverMessage', { target: to, purpose, captcha: answer });
      setUntil(performance.now() + resendAfter * 1000);
      setAsking(false);
      setSaid({ text: t('code_sent', { target: to, minutes: Math.round(expires / 60) }), kind: 'done' });
    } catch (error) {
      captcha.current?.renew();
      setSaid({ text: textOf(error, t('call_failed')), kind: 'failed' });
    } finally {
      setSending(false);
    }
  };

  return {
    button: (
      <Button aria-disabled={sending || left > 0 || undefined} onClick={() => void send()}>
        {left ? t('code_wait', { n: left }) : t(wasSent ? 'code_again' : 'code_send')}
      </Button>
    ),
    below: (
      <>
        {asking && <Captcha ref={captcha} onEnter={() => void send()} />}
        <p ref={status} className="form-status" role="status" tabIndex={-1} data-kind={said?.kind}>
          {said?.text}
        </p>
      </>
    ),
  };
}
