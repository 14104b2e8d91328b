import { useShell, type Api } from '@masthead/ui-sdk';
import { createApi } from '@masthead/ui-sdk/shell';
import { useMemo } from 'react';
import { callerOf, isSignedOut } from '../calls/api.ts';
import { signIn } from '../members/signIn.ts';

export interface Calls {
  api: Api;
  /** What the host has said to the last call that succeeded. */
  message(): string;
}

/**
 * The calls of a form, which shows what the host says. Before the reader is signed in, an answer 401 means that what they typed is wrong; later, that
 * the session is over, which leads to the sign-in as everywhere.
 */
export function useCalls(): Calls {
  const { bootstrap, notify } = useShell();
  const { signedIn } = bootstrap.session;
  return useMemo(() => {
    let said = '';
    const failed = (error: unknown) => {
      if (signedIn && isSignedOut(error) && signIn(bootstrap)) notify(error.message, 'failed');
    };
    return {
      api: createApi(
        () => callerOf(bootstrap),
        failed,
        (message) => (said = message),
      ),
      message: () => said,
    };
  }, [bootstrap, notify, signedIn]);
}
