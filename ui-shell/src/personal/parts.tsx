import { Button, tagOf, useBootstrap, useShell, useT, type Translate } from '@masthead/ui-sdk';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { isSignedOut, told } from '../calls/api.ts';
import { dayOf } from '../i18n/times.ts';
import { SessionEnded } from '../members/SessionEnded.tsx';
import type { Page } from './calls.ts';

/** What a call has answered so far. */
export interface Called<T> {
  data: T | undefined;
  failure: string | undefined;
  /** Whether it has failed because the session is over. */
  ended: boolean;
  reload(): void;
}

/** Makes a call when `key` changes, and again when it is told to. What was there before stays until the answer comes. */
export function useCalled<T>(load: (signal: AbortSignal) => Promise<T>, key: string): Called<T> {
  const t = useT();
  const [answer, setAnswer] = useState<{ key: string; data?: T; failure?: string; ended?: boolean }>();
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ load, t });
  latest.current = { load, t };
  useEffect(() => {
    const control = new AbortController();
    latest.current.load(control.signal).then(
      (data) => control.signal.aborted || setAnswer({ key, data }),
      (error: unknown) => {
        if (control.signal.aborted) return;
        setAnswer({ key, failure: told(error, latest.current.t('call_failed')) ?? '', ended: isSignedOut(error) });
      },
    );
    return () => control.abort();
  }, [key, attempt]);
  const own = answer?.key === key ? answer : undefined;
  return { data: own?.data, failure: own?.failure, ended: own?.ended ?? false, reload: () => setAttempt((before) => before + 1) };
}

/** Makes a change: shows the bar while it takes long, and what has come of it. Resolves to whether it was made. */
export function useChange(): { pending: boolean; change(work: () => Promise<unknown>, done: string, failed?: string): Promise<boolean> } {
  const { busy, notify } = useShell();
  const t = useT();
  const [pending, setPending] = useState(false);
  const change = async (work: () => Promise<unknown>, done: string, failed = t('call_failed')) => {
    setPending(true);
    try {
      await busy(work());
      notify(done, 'done');
      return true;
    } catch (error) {
      const said = told(error, failed);
      if (said) notify(said, 'failed');
      return false;
    } finally {
      setPending(false);
    }
  };
  return { pending, change };
}

/** In place of a list that is on its way: as high as a few of its entries. */
export function Waiting() {
  const t = useT();
  return (
    <div className="personal-waiting" role="status">
      <span className="mh-hidden">{t('loading')}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

function Failed({ called }: { called: Called<unknown> }) {
  const t = useT();
  return (
    <div className="alert" role="alert">
      <p>{called.ended ? <SessionEnded /> : called.failure || t('call_failed')}</p>
      {!called.ended && <Button onClick={called.reload}>{t('try_again')}</Button>}
    </div>
  );
}

/** What was called for, or that it is on its way, or why it is not there. */
export function Answered<T>({ called, children }: { called: Called<T>; children(data: T): ReactNode }) {
  if (called.failure !== undefined) return <Failed called={called} />;
  return called.data === undefined ? <Waiting /> : children(called.data);
}

/** The address of the page that is shown, with other parameters; those that are empty are left out, and the page begins with the first one. */
export function useAddress(): { asked(name: string): string; at(change: Record<string, string | number>): string } {
  const { path } = useShell();
  const url = new URL(path, location.origin);
  return {
    asked: (name) => url.searchParams.get(name) ?? '',
    at: (change) => {
      const query = new URLSearchParams(url.search);
      query.delete('page');
      for (const [name, value] of Object.entries(change))
        if (value === '') query.delete(name);
        else query.set(name, String(value));
      return `${url.pathname}${query.size ? `?${query}` : ''}`;
    },
  };
}

/** The number of the page that the address names, from 0. */
export const pageOf = (asked: string): number => Math.max(1, Math.min(100_000, Math.trunc(Number(asked)) || 1)) - 1;

/** Links to the pages before and after, and how far the list is shown. */
export function Pages({ page }: { page: Page<unknown> }) {
  const t = useT();
  const { at } = useAddress();
  const pages = Math.ceil(page.totalElements / Math.max(1, page.size));
  if (pages <= 1 && page.page === 0) return null;
  const to = (index: number) => at({ page: index ? index + 1 : '' });
  return (
    <nav className="more" aria-label={t('list_pages')}>
      {page.page > 0 && (
        <a className="more-link" rel="prev" href={to(Math.min(page.page, pages) - 1)}>
          {t('page_previous')}
        </a>
      )}
      <p className="more-count">{t('page_reached', { n: Math.min(page.totalElements, (page.page + 1) * page.size), total: page.totalElements })}</p>
      {page.page + 1 < pages && (
        <a className="more-link" rel="next" href={to(page.page + 1)}>
          {t('page_next')}
        </a>
      )}
    </nav>
  );
}

/** The day of an instant, in the time zone that its text is in, as the language writes it. */
export function Day({ iso }: { iso: string }) {
  const { lang } = useBootstrap();
  // A day alone is read as UTC, and written as such.
  const date = new Date(dayOf(iso));
  if (!iso || Number.isNaN(date.getTime())) return null;
  return <time dateTime={iso}>{new Intl.DateTimeFormat(tagOf(lang), { dateStyle: 'medium', timeZone: 'UTC' }).format(date)}</time>;
}

/** The names of the kinds of items. */
export function typeName(t: Translate, type: string): string {
  const names: Record<string, string> = {
    article: t('of_type_article'),
    publication: t('of_type_publication'),
    picture: t('of_type_picture'),
    table: t('of_type_table'),
    audio: t('of_type_audio'),
    video: t('of_type_video'),
    book: t('of_type_book'),
    news: t('of_type_news'),
    album: t('of_type_album'),
    collection: t('of_type_album'),
    patent: t('of_type_patent'),
    standard: t('of_type_standard'),
    document: t('of_type_document'),
    conference: t('of_type_conference'),
    expert: t('of_type_expert'),
  };
  return names[type] ?? t('of_type_rest');
}

/** What a control needs to be described by its field. */
export interface Control {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, its control, and below it what is wrong or what helps: for controls that are no plain input (`members/Field.tsx`). */
export function Labelled({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children(control: Control): ReactNode;
}) {
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** What is wrong with the fields of a form, by name, as keys of messages. */
export type Faults = Record<string, string | undefined>;

/** The faults of a form that is being sent, and the text of each. `check` returns whether there are none, and leads to the first field that has one. */
export function useFaults(): { text(name: string): string | undefined; check(form: HTMLElement | null, faults: Faults): boolean } {
  const t = useT();
  const [faults, setFaults] = useState<Faults>({});
  const texts: Record<string, string> = {
    person_name_needed: t('person_name_needed'),
    person_name_format: t('person_name_format'),
    email_needed: t('email_needed'),
    email_format: t('email_format'),
    phone_format: t('phone_format'),
    research_field_needed: t('research_field_needed'),
    code_required: t('code_required'),
    keywords_needed: t('keywords_needed'),
    column_required: t('column_required'),
    album_name_needed: t('album_name_needed'),
    search_name_needed: t('search_name_needed'),
    place_required: t('place_required'),
    album_needed: t('album_needed'),
    picture_needed: t('picture_needed'),
    photo_format: t('photo_format'),
    cover_format: t('cover_format'),
    password_required: t('password_required'),
  };
  return {
    text: (name) => {
      const fault = faults[name];
      return fault && (texts[fault] ?? fault);
    },
    check: (form, next) => {
      setFaults(next);
      const fine = !Object.values(next).some(Boolean);
      // When it has been drawn.
      if (!fine) requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return fine;
    },
  };
}
