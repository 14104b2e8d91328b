import { ApiError, Button, useShell, useT } from '@masthead/ui-sdk';
import { useState } from 'react';
import { textOf } from '../calls/api.ts';
import { enter } from './enter.ts';
import { ask, hasPasskeys, wasGivenUp, type Options } from './passkeys.ts';
import { useCalls } from './useCalls.ts';

/** The button beside the password: the browser shows the passkeys of this site. Nobody types a name. */
export function PasskeySignIn({ back }: { back: string | undefined }) {
  const t = useT();
  const { bootstrap, busy } = useShell();
  const { api, message } = useCalls();
  const [failure, setFailure] = useState('');
  const [asking, setAsking] = useState(false);
  if (!hasPasskeys()) return null;
  const signIn = async () => {
    if (asking) return;
    setAsking(true);
    setFailure('');
    try {
      const options = await api.post<Options>('/rc-pub/api/passkeys/login/begin');
      await busy(api.post('/rc-pub/api/passkeys/login/finish', await ask(options)));
      enter(bootstrap, back, message());
    } catch (error) {
      if (!(error instanceof ApiError) && !wasGivenUp(error)) console.warn(error);
      setFailure(textOf(error, error instanceof ApiError ? t('call_failed') : t('passkey_failed')));
    } finally {
      setAsking(false);
    }
  };
  return (
    <div className="form">
      <p className="form-or">{t('or')}</p>
      <Button aria-disabled={asking || undefined} onClick={() => void signIn()}>
        {t('passkey_sign_in')}
      </Button>
      <p className="form-status" role="status" data-kind="failed">
        {failure}
      </p>
    </div>
  );
}
