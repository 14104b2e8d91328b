import { ApiError, Button, Dialog, useShell, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { documents } from '../browser/documents.ts';
import { heading } from '../browser/scroll.ts';
import { told } from '../calls/api.ts';
import { statedTime } from '../i18n/times.ts';
import { SessionEnded } from '../members/SessionEnded.tsx';
import { create, hasPasskeys, wasGivenUp, type Options } from './passkeys.ts';
import { useCalls } from './useCalls.ts';
import { useLoaded, type Loaded } from './useLoaded.ts';

/** An instant in ISO 8601, in the time zone of the site. */
type Time = string;

interface Passkey {
  id: number;
  name: string;
  created: Time;
  /** Empty for one that was not used yet. */
  used: Time | null;
}
/** A service at which members can sign in, with the identity that is connected. */
interface Identity {
  provider: string;
  /** What readers know the service by. */
  title: string;
  name: string;
  subject: string;
  /** Null for one that is not connected. */
  since: Time | null;
}
interface SignIn {
  id: number | string;
  created: Time;
  used: Time;
  /** Browser and system. */
  client: string;
  current: boolean;
}
interface Profile {
  mobile: string;
  email: string;
  hasPassword: boolean;
  passwordChanged: Time | null;
}
/** What is asked before something is removed. */
interface Question {
  name: string;
  remove(): Promise<unknown>;
}

/** An entry with what can be done about it. */
function Entry({ name, about, children }: { name: ReactNode; about: string[]; children?: ReactNode }) {
  return (
    <li>
      <span className="entry-text">
        <bdi>{name}</bdi>
        {about.filter(Boolean).map((text) => (
          <small key={text}>{text}</small>
        ))}
      </span>
      {children}
    </li>
  );
}

/** A list while it is there, and why it is not. */
function Entries<T>({ loaded, empty, children }: { loaded: Loaded<T[]>; empty: string; children(entry: T): ReactNode }) {
  const t = useT();
  const { data, failure, ended, again } = loaded;
  if (failure !== undefined && !data)
    return (
      <p className="form-status" role="status" data-kind="failed">
        {ended ? (
          <SessionEnded />
        ) : (
          <>
            {t('load_failed')} {failure} <Button onClick={again}>{t('try_again')}</Button>
          </>
        )}
      </p>
    );
  if (!data) return null;
  if (!data.length) return <p className="form-note">{empty}</p>;
  return <ul className="entries">{data.map(children)}</ul>;
}

function Passkeys({ ask }: { ask(question: Question): void }) {
  const t = useT();
  const { busy, notify } = useShell();
  const { api, message } = useCalls();
  const loaded = useLoaded<Passkey[]>('/rc-pub/api/passkeys', 0);
  const [adding, setAdding] = useState(false);
  const changed = () => {
    notify(message(), 'done');
    loaded.again();
  };
  const add = async () => {
    setAdding(true);
    try {
      const options = await api.post<Options>('/rc-pub/api/passkeys/register/begin');
      await busy(api.post('/rc-pub/api/passkeys/register/finish', await create(options)));
      changed();
    } catch (error) {
      if (!(error instanceof ApiError) && !wasGivenUp(error)) console.warn(error);
      const said = told(error, error instanceof ApiError ? t('call_failed') : t('passkey_failed'));
      if (said) notify(said, 'failed');
    } finally {
      setAdding(false);
    }
  };
  const remove = (id: number) => api.delete('/rc-pub/api/passkeys', { id }).then(changed);
  return (
    <>
      <Entries loaded={loaded} empty={t('passkeys_none')}>
        {({ id, name, created, used }) => (
          <Entry key={id} name={name || t('passkey')} about={[t('since', statedTime(created)), used ? t('last_used', statedTime(used)) : t('never_used')]}>
            <Button aria-label={t('remove_of', { name: name || t('passkey') })} onClick={() => ask({ name: name || t('passkey'), remove: () => remove(id) })}>
              {t('remove')}
            </Button>
          </Entry>
        )}
      </Entries>
      {hasPasskeys() ? (
        <p className="form-actions">
          <Button aria-disabled={adding || undefined} onClick={() => adding || void add()}>
            {t('passkey_add')}
          </Button>
        </p>
      ) : (
        <p className="form-note">{t('passkeys_unsupported')}</p>
      )}
    </>
  );
}

function Identities({ ask }: { ask(question: Question): void }) {
  const t = useT();
  const { busy, notify } = useShell();
  const { api, message } = useCalls();
  const loaded = useLoaded<Identity[]>('/rc-pub/api/identities', 0);
  const connect = async (provider: string) => {
    try {
      const here = location.pathname + location.search + location.hash;
      const { address } = await busy(api.get<{ address: string }>('/rc-pub/api/getUmtLoginUrl', { provider, url: here }));
      documents.assign(address);
    } catch (error) {
      const said = told(error, t('call_failed'));
      if (said) notify(said, 'failed');
    }
  };
  const remove = async (provider: string) => {
    await api.delete('/rc-pub/api/identities', { provider });
    notify(message(), 'done');
    loaded.again();
  };
  return (
    <Entries loaded={loaded} empty={t('identities_none')}>
      {({ provider, title, name, subject, since }) => (
        <Entry
          key={provider}
          name={title}
          about={since === null ? [t('identity_none')] : [name, name === subject ? '' : subject, t('since', statedTime(since))]}
        >
          {since === null ? (
            <Button onClick={() => void connect(provider)}>{t('identity_connect', { name: title })}</Button>
          ) : (
            <Button aria-label={t('remove_of', { name: title })} onClick={() => ask({ name: title, remove: () => remove(provider) })}>
              {t('remove')}
            </Button>
          )}
        </Entry>
      )}
    </Entries>
  );
}

function SignIns({ changes, ask }: { changes: number; ask(question: Question): void }) {
  const t = useT();
  const { api, notify } = useShell();
  const loaded = useLoaded<SignIn[]>('/rc-pub/api/sessions', changes);
  const end = (id?: number | string) =>
    api.delete('/rc-pub/api/sessions', { id }).then(() => {
      if (id === undefined) notify(t('sessions_ended'), 'done');
      loaded.again();
    });
  const hasOthers = loaded.data?.some(({ current }) => !current);
  return (
    <>
      <Entries loaded={loaded} empty="">
        {({ id, created, used, client, current }) => {
          const name = client || t('unknown_client');
          return (
            <Entry key={id} name={name} about={[current ? t('session_current') : t('last_used', statedTime(used)), t('since', statedTime(created))]}>
              {!current && (
                <Button aria-label={t('session_end_of', { name })} onClick={() => ask({ name, remove: () => end(id) })}>
                  {t('session_end')}
                </Button>
              )}
            </Entry>
          );
        }}
      </Entries>
      {hasOthers && (
        <p className="form-actions">
          <Button onClick={() => ask({ name: t('sessions_end'), remove: () => end() })}>{t('sessions_end')}</Button>
        </p>
      )}
    </>
  );
}

/** When the password was changed, with emphasis once it is time for another one. */
function Changed({ when, months }: { when: Time; months: number }) {
  const t = useT();
  const due = new Date(when);
  due.setUTCMonth(due.getUTCMonth() + months);
  const text = t('password_changed', statedTime(when));
  return months && due.getTime() < Date.now() ? <strong>{text}</strong> : text;
}

/** What the host has left open in the forms: where codes go now, and whether there is a password. */
function Now({ place, changes }: { place: HTMLElement; changes: number }) {
  const t = useT();
  const { data } = useLoaded<Profile>('/rc-pub/front/frontMembers/info', changes);
  const hasPassword = data?.hasPassword;
  useEffect(() => {
    if (hasPassword === undefined) return;
    // Who has no password cannot type it: a code that is sent proves as much.
    for (const input of place.querySelectorAll<HTMLInputElement>('input[autocomplete="current-password"]')) {
      input.disabled = !hasPassword;
      const field = input.closest<HTMLElement>('.field');
      if (field) field.hidden = !hasPassword;
    }
  }, [place, hasPassword]);
  if (!data) return null;
  const { mobile, email, passwordChanged } = data;
  const reach = (value: string) => (value ? <bdi dir="ltr">{value}</bdi> : t('none_yet'));
  const parts: Record<string, ReactNode> = {
    mobile: reach(mobile),
    email: reach(email),
    password: passwordChanged && <Changed when={passwordChanged} months={Number(place.dataset['months'])} />,
  };
  return Object.entries(parts).map(([name, shown]) => {
    const at = place.querySelector(`[data-part="${name}"]`);
    return at && createPortal(shown, at, name);
  });
}

/** The lists of an account's security, in the places that the host has left for them. */
export function Security({ place, changes }: { place: HTMLElement; changes: number }) {
  const t = useT();
  const { busy, notify } = useShell();
  const [question, setQuestion] = useState<Question>();
  // Whether the question was answered with yes: the button that has asked goes then, with what is removed.
  const confirmed = useRef(false);
  const ask = (next: Question) => {
    confirmed.current = false;
    setQuestion(next);
  };
  const at = (name: string) => place.querySelector<HTMLElement>(`[data-part="${name}"]`);
  const [passkeys, identities, sessions] = [at('passkeys'), at('identities'), at('sessions')];
  const remove = async () => {
    if (!question) return;
    confirmed.current = true;
    setQuestion(undefined);
    try {
      await busy(question.remove());
    } catch (error) {
      const said = told(error, t('call_failed'));
      if (said) notify(said, 'failed');
    }
  };
  return (
    <>
      <Now place={place} changes={changes} />
      {passkeys && createPortal(<Passkeys ask={ask} />, passkeys)}
      {identities && createPortal(<Identities ask={ask} />, identities)}
      {sessions && createPortal(<SignIns changes={changes} ask={ask} />, sessions)}
      <Dialog
        open={question !== undefined}
        onOpenChange={() => setQuestion(undefined)}
        title={t('confirm_title')}
        description={t('remove_question', { name: question?.name ?? '' })}
        returnFocus={() => (confirmed.current ? heading() : null)}
      >
        <div className="mh-dialog-actions">
          <Button onClick={() => setQuestion(undefined)}>{t('cancel')}</Button>
          <Button variant="primary" onClick={() => void remove()}>
            {t('confirm')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
