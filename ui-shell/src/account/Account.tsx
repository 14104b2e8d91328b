import { useShell, type PagePayload } from '@masthead/ui-sdk';
import { useCallback, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { Messages } from '../members/Messages.tsx';
import { AccountForm } from './AccountForm.tsx';
import { KINDS } from './kinds.ts';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { Security } from './Security.tsx';

/** The forms of accounts in a page of the host, and the lists of an account's security. */
export default function Account({ main, page }: { main: HTMLElement; page: PagePayload }) {
  const { session } = useShell().bootstrap;
  const { forms, passkey, security } = useMemo(
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
  return (
    <Messages>
      {forms.map((form) => {
        const name = form.dataset['account'] ?? '';
        const kind = KINDS[name];
        return kind && <AccountForm key={name} form={form} kind={kind} onChanged={changed} />;
      })}
      {passkey && !session.signedIn && createPortal(<PasskeySignIn back={forms[0]?.dataset['back']} />, passkey)}
      {security && <Security place={security} changes={changes} />}
    </Messages>
  );
}
