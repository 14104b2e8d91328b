import { ApiError } from '@masthead/ui-sdk';
import { ShellProvider } from '@masthead/ui-sdk/shell';
import { fakeShell, sampleArticle } from '@masthead/ui-sdk/testing';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { boot } from '../src/boot.tsx';
import { forgetMemory } from '../src/browser/storage.ts';
import { ensureLanguage, showLanguage } from '../src/i18n/i18n.ts';
import CommentForm from '../src/reader/CommentForm.tsx';
import Comments from '../src/reader/Comments.tsx';
import type { ReaderProps } from '../src/reader/props.ts';
import { violations } from './axe.ts';
import { muteConsole, showDocument } from './fixture.ts';
import { tableApi, type Answers } from './personalCentre.tsx';

const PATH = 'front/front-article/comments';
const [POST, GET] = [`POST ${PATH}`, `GET ${PATH}`];
const WAITING = 'Thank you. Your comment awaits the approval of an editor.';
const LENGTH = 'A comment must have 1 to 2000 characters';
const OFTEN = 'You are posting comments too often. Please wait a minute.';

/** What the host writes for a member. */
const FORM = `<form class="form" data-comment-form method="post" novalidate><div class="field"><label for="comment-text">Your comment</label>
  <textarea id="comment-text" name="text" rows="4" dir="auto" required aria-describedby="comment-text-hint"></textarea>
  <p class="field-hint" id="comment-text-hint">At most 2000 characters.</p></div>
  <div class="form-actions"><button class="button button-primary" type="submit" disabled>Send comment</button></div></form>`;
/** What the host writes where there are older comments. */
const LIST = `<ul class="comments-list" data-comments-list><li class="comment"><p class="comment-by"><bdi>a****ader</bdi> <time datetime="2026-03-07" dir="ltr">2026-03-07</time></p>
  <div class="comment-text" dir="auto">Comment 9.</div></li></ul><button class="button" type="button" data-comments-more="9" hidden>Show more</button>`;

const sectionOf = (parts: string) => `<section class="article-comments" id="comments" lang="en" dir="ltr"><h2>Comments</h2>${parts}</section>`;
const section = () => document.querySelector('#comments') as HTMLElement;
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your comment' });
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send comment' });
/** What the field is described by. */
const description = () => (field().getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);

/** Renders a part beside what the host has drawn of the comments. `id` is the article's, `userName` the member's. */
async function show(Part: ComponentType<ReaderProps>, html: string, answers: Answers, { id = 64, userName = 'a****ader' } = {}) {
  await ensureLanguage('en');
  showLanguage('en');
  document.body.innerHTML = `<main><article class="reader" data-article="64">${sectionOf(html)}</article></main>`;
  const [main, article] = [document.querySelector('main'), document.querySelector('article')] as [HTMLElement, HTMLElement];
  const { shell, messages } = fakeShell(undefined, { session: { signedIn: true, userName } });
  const { api, made } = tableApi(answers);
  const { unmount } = render(
    <ShellProvider value={{ ...shell, api }}>
      <Part main={main} article={article} page={{ ...sampleArticle(), id }} begun />
    </ShellProvider>,
  );
  return { made, messages, unmount };
}

/** Leaves the document, as the sign-in and a reload do: what the browser has not stored is gone. */
function leave(unmount: () => void): void {
  unmount();
  forgetMemory();
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  forgetMemory();
  sessionStorage.clear();
});

describe('the form', () => {
  it('is sent, is empty again, and the reader is told that the comment awaits approval', async () => {
    const { made, messages } = await show(CommentForm, FORM, { [POST]: true });
    await userEvent.type(field(), 'Well counted.');
    await userEvent.click(send());
    await waitFor(() => expect(messages).toEqual([WAITING]));
    expect(made).toEqual([{ call: POST, query: {}, body: { id: 64, text: 'Well counted.' } }]);
    expect(field().value).toBe('');
    expect(document.activeElement).toBe(send());
    expect(section().textContent, 'nobody sees the comment before its approval').not.toContain('Well counted.');
  });

  it('shows beside the field what the host says of its text, until the text is edited', async () => {
    const { messages } = await show(CommentForm, FORM, { [POST]: new ApiError(400, LENGTH) });
    await userEvent.click(send());
    await waitFor(() => expect(description()).toEqual(['At most 2000 characters.', LENGTH]));
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field());
    expect(messages, 'it is not said twice').toEqual([]);
    expect(await violations(section())).toEqual([]);
    await userEvent.keyboard('x');
    expect(description()).toEqual(['At most 2000 characters.']);
    expect(field().getAttribute('aria-invalid')).toBeNull();
  });

  it.each([
    ['the host refuses', new ApiError(429, OFTEN), [OFTEN]],
    ['no answer comes', new ApiError(500, 'Failed to fetch', undefined, 'unreachable'), ['The connection failed. Please try again.']],
    ['the session has ended, which the shell tells itself', new ApiError(401, 'Please sign in to comment'), []],
  ])('keeps the text when %s', async (_, failure, told) => {
    const { made, messages } = await show(CommentForm, FORM, { [POST]: failure });
    await userEvent.type(field(), 'Well counted.');
    await userEvent.click(send());
    await waitFor(() => expect(send().getAttribute('aria-disabled')).toBeNull());
    expect(made).toHaveLength(1);
    expect(messages).toEqual(told);
    expect(field().value).toBe('Well counted.');
    expect(field().getAttribute('aria-invalid')).toBeNull();
  });

  it('is sent once while it is on its way', async () => {
    let answer: (value: boolean) => void = () => undefined;
    const { made, messages } = await show(CommentForm, FORM, { [POST]: () => new Promise<boolean>((resolve) => (answer = resolve)) });
    await userEvent.type(field(), 'Well counted.');
    await userEvent.click(send());
    await userEvent.click(send());
    expect(send().getAttribute('aria-disabled')).toBe('true');
    answer(true);
    await waitFor(() => expect(messages).toEqual([WAITING]));
    expect(made).toHaveLength(1);
    await waitFor(() => expect(send().getAttribute('aria-disabled')).toBeNull());
  });

  it('cannot be used when nothing is there that sends it', async () => {
    const { unmount } = await show(CommentForm, FORM, {});
    expect(send().disabled).toBe(false);
    unmount();
    expect(send().disabled).toBe(true);
  });
});

describe('the text of the form', () => {
  const ended = { [POST]: new ApiError(401, 'Please sign in to comment') };

  it('is there again after the sign-in when the session had ended, for its article and its writer only', async () => {
    const before = await show(CommentForm, FORM, ended);
    await userEvent.type(field(), 'Well counted.');
    await userEvent.click(send());
    await waitFor(() => expect(send().getAttribute('aria-disabled')).toBeNull());
    expect(before.made).toHaveLength(1);
    leave(before.unmount);

    for (const other of [{ id: 65 }, { userName: 'b****ader' }]) {
      const { unmount } = await show(CommentForm, FORM, {}, other);
      expect(field().value, JSON.stringify(other)).toBe('');
      leave(unmount);
    }
    const after = await show(CommentForm, FORM, { [POST]: true });
    expect(field().value).toBe('Well counted.');
    await userEvent.click(send());
    await waitFor(() => expect(after.messages).toEqual([WAITING]));
    expect(after.made).toEqual([{ call: POST, query: {}, body: { id: 64, text: 'Well counted.' } }]);
  });

  it('is there again after a reload without having been sent, and not when the reader has deleted it', async () => {
    const before = await show(CommentForm, FORM, {});
    await userEvent.type(field(), 'Half a');
    leave(before.unmount);
    const again = await show(CommentForm, FORM, {});
    expect(field().value).toBe('Half a');
    await userEvent.clear(field());
    leave(again.unmount);
    await show(CommentForm, FORM, {});
    expect(field().value).toBe('');
  });

  it('is forgotten when the host has accepted the comment', async () => {
    const before = await show(CommentForm, FORM, { [POST]: true });
    await userEvent.type(field(), 'Well counted.');
    await userEvent.click(send());
    await waitFor(() => expect(before.messages).toEqual([WAITING]));
    leave(before.unmount);
    await show(CommentForm, FORM, {});
    expect(field().value).toBe('');
    expect(sessionStorage.length).toBe(0);
  });

  it('is not replaced where the reader has typed before the form was taken over', async () => {
    const before = await show(CommentForm, FORM, {});
    await userEvent.type(field(), 'Old.');
    leave(before.unmount);
    const newer = await show(CommentForm, FORM.replace('</textarea>', 'New.</textarea>'), {});
    expect(field().value).toBe('New.');
    leave(newer.unmount);
    await show(CommentForm, FORM, {});
    expect(field().value).toBe('New.');
  });

  it('is sent where the browser refuses to store anything', async () => {
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    const { made, messages } = await show(CommentForm, FORM, { [POST]: true });
    await userEvent.type(field(), 'Well counted.');
    await userEvent.click(send());
    await waitFor(() => expect(messages).toEqual([WAITING]));
    expect(made).toEqual([{ call: POST, query: {}, body: { id: 64, text: 'Well counted.' } }]);
    expect(field().value).toBe('');
  });
});

describe('older comments', () => {
  const comment = (id: number) => ({ id, author: `r****d${id}`, text: `Comment ${id}.`, date: '2026-03-06T07:30:00+08:00' });
  const page = (ids: number[], next: string | null) => ({ enableComment: true, totalElements: 4, content: ids.map(comment), next });
  const texts = () => [...document.querySelectorAll('.comments-list > .comment > .comment-text')].map((one) => one.textContent);
  const more = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Show more' });

  it('follow those of the page, and the focus goes on with them when there are no more', async () => {
    const { made } = await show(Comments, LIST, {
      [GET]: ({ query }: { query: { after: string } }) => (query.after === '9' ? page([8, 7], '7') : page([6], null)),
    });
    more()?.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(texts()).toEqual(['Comment 9.', 'Comment 8.', 'Comment 7.']));
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Added to the list: 2.'));
    expect(document.activeElement).toBe(more());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(more()).toBeNull());
    expect(texts()).toEqual(['Comment 9.', 'Comment 8.', 'Comment 7.', 'Comment 6.']);
    const last = section().querySelector<HTMLElement>('.comment:last-child') as HTMLElement;
    expect(document.activeElement).toBe(last);
    expect([last.querySelector('bdi')?.textContent, last.querySelector('time')?.dateTime]).toEqual(['r****d6', '2026-03-06']);
    expect(last.querySelector('.comment-text')?.getAttribute('dir')).toBe('auto');
    expect(made.map(({ query }) => query)).toEqual([
      { id: 64, after: '9' },
      { id: 64, after: '7' },
    ]);
    expect(await violations(section())).toEqual([]);
  });

  it('can be asked for again when they did not come', async () => {
    const answers: Answers = { [GET]: new ApiError(500, 'Failed to fetch', undefined, 'unreachable') };
    const { messages } = await show(Comments, LIST, answers);
    await userEvent.click(more() as HTMLElement);
    await waitFor(() => expect(messages).toEqual(['The rest of the list could not be loaded.']));
    expect(more()?.getAttribute('aria-disabled')).toBeNull();
    answers[GET] = page([8], null);
    await userEvent.click(more() as HTMLElement);
    await waitFor(() => expect(texts()).toEqual(['Comment 9.', 'Comment 8.']));
  });
});

describe('in the reader', () => {
  let root: Root | undefined;
  afterEach(async () => {
    await act(async () => root?.unmount());
  });

  it('the form and older comments are taken over when the page is first used, and not before', async () => {
    muteConsole();
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    await Promise.all(['Reader', 'Beside', 'CommentForm', 'Comments'].map((name) => import(`../src/reader/${name}.tsx`)));
    showDocument('article');
    document.querySelector('#comments')?.remove();
    document.querySelector('article.reader')?.insertAdjacentHTML('beforeend', sectionOf(FORM + LIST));
    await act(async () => {
      root = await boot();
    });
    await screen.findByRole('toolbar');
    expect(send().disabled).toBe(true);
    expect(within(section()).queryByRole('button', { name: 'Show more' })).toBeNull();
    await act(async () => void window.dispatchEvent(new Event('keydown')));
    await waitFor(() => expect(send().disabled).toBe(false));
    expect(await within(section()).findByRole('button', { name: 'Show more' })).toBeTruthy();
  });
});
