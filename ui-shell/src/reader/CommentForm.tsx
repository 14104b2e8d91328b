import { ApiError, useShell, useT, type components } from '@masthead/ui-sdk';
import { useEffect, useRef } from 'react';
import { told } from '../calls/api.ts';
import { forgetFault, showFaults } from '../members/formErrors.ts';
import { draftOf, keepDraft } from './commentDrafts.ts';
import { first } from './parts.ts';
import type { ReaderProps } from './props.ts';

/** Status of a call whose text is empty or too long. */
const WRONG = 400;

const submitOf = (form: HTMLFormElement) => form.querySelector<HTMLButtonElement>('button[type=submit]');

/**
 * Sends the form for a comment that the host has drawn for members. The host checks the text and says what is wrong with it, beside the field; other
 * failures are notices, as is the success: the list stays as it is until an editor has approved the comment. The text is kept until then, so that an ended
 * session or a reload does not lose it.
 */
export default function CommentForm({ article, page }: ReaderProps) {
  const t = useT();
  const { api, bootstrap, busy, notify } = useShell();
  const form = first(article, 'commentForm');
  const sending = useRef(false);

  const keep = (text: string) => keepDraft(bootstrap, page.id, text);

  const submit = async (sent: HTMLFormElement) => {
    if (sending.current) return;
    const button = submitOf(sent);
    const text = new FormData(sent).get('text');
    const comment: components['schemas']['NewComment'] = { id: page.id, text: typeof text === 'string' ? text : '' };
    sending.current = true;
    button?.setAttribute('aria-disabled', 'true');
    try {
      await busy(api.post<boolean>('/rc-pub/front/front-article/comments', comment));
      showFaults(sent, { text: undefined });
      sent.reset();
      keep('');
      notify(t('comment_waiting'), 'done');
    } catch (error) {
      const said = told(error, t('error_text'));
      if (error instanceof ApiError && error.status === WRONG) showFaults(sent, { text: said });
      else if (said) notify(said, 'failed');
    }
    sending.current = false;
    button?.removeAttribute('aria-disabled');
  };

  const actions = { submit, keep, draft: () => draftOf(bootstrap, page.id) };
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    if (!form) return;
    const control = new AbortController();
    const { signal } = control;
    const send = (event: Event) => {
      event.preventDefault();
      void latest.current.submit(form);
    };
    const field = form.querySelector('textarea');
    if (field) {
      // What the reader has typed before, or the browser has put back, is newer than what was kept.
      if (field.value) latest.current.keep(field.value);
      else field.value = latest.current.draft();
      field.addEventListener('input', () => latest.current.keep(field.value), { signal });
    }
    form.addEventListener('submit', send, { signal });
    form.addEventListener('input', forgetFault, { signal });
    const button = submitOf(form);
    if (button) button.disabled = false;
    return () => {
      control.abort();
      if (button) button.disabled = true;
    };
  }, [form]);
  return null;
}
