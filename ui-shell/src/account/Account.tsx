import { useShell, type PagePayload } from '@masthead/ui-sdk';
import { createApi } from '@masthead/ui-sdk/shell';
import { useCallback, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { callerOf } from '../calls/api.ts';
import { Messages } from '../members/Messages.tsx';
import { AccountForm } from './AccountForm.tsx';
import { KINDS } from './kinds.ts';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { Security } from './Security.tsx';

/** The forms of accounts in a page of the host, and the lists of an account's security. */
export default function Account({ main, page }: { main: HTMLElement; page: PagePayload }) {
  const { api: ofShell, bootstrap } = useShell();
  const { session } = bootstrap;
  // Before they are signed in, an answer 401 means that what the reader has typed is wrong, and not that a session has ended.
  const api = useMemo(
    () =>
      session.signedIn
        ? ofShell
        : createApi(
            () => callerOf(bootstrap),
            () => undefined,
          ),
    [bootstrap, ofShell, session.signedIn],
  );
  const parts = useMemo(
    () => ({
      page,
      forms: [...main.querySelectorAll<HTMLFormElement>('form[data-account]')],
      passkey: main.querySelector<HTMLElement>('[data-part="passkey"]'),
      security: main.querySelector<HTMLElement>('[data-account-security]'),
    }),
    [main, page],
  );
  const [changes, setChanges] = useState(0);
  const changed = useCallback(() => setChanges((before) => before + 1), []);
  const { forms, passkey, security } = parts;
  const back = forms[0]?.dataset['back'];
  return (
    <Messages>
      {forms.map((form) => {
        const kind = KINDS[form.dataset['account'] ?? ''];
        return kind && <AccountForm key={form.dataset['account']} form={form} kind={kind} api={api} onChanged={changed} />;
      })}
      {passkey && !session.signedIn && createPortal(<PasskeySignIn api={api} back={back} />, passkey)}
      {security && <Security place={security} changes={changes} />}
    </Messages>
  );
}
