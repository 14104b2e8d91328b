import { useShell, useT, type components } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { told } from '../calls/api.ts';
import { focusOn } from '../browser/scroll.ts';
import { dayOf } from '../i18n/times.ts';
import { first, valueOf } from './parts.ts';
import type { ReaderProps } from './props.ts';

type Schemas = components['schemas'];

/** A comment, with the markup of the host's. */
function Comment({ author, text, date }: Schemas['CommentView']) {
  const day = dayOf(date);
  return (
    <li className="comment">
      <p className="comment-by">
        <bdi>{author}</bdi>{' '}
        <time dateTime={day} dir="ltr">
          {day}
        </time>
      </p>
      <div className="comment-text" dir="auto">
        {text}
      </div>
    </li>
  );
}

/** Appends older comments to those that the host has drawn, each time the button below them is used. */
export default function Comments({ article, page }: ReaderProps) {
  const t = useT();
  const { api, busy, notify } = useShell();
  const list = first(article, 'commentsList');
  const button = first(article, 'commentsMore');
  const [added, setAdded] = useState<Schemas['CommentView'][]>([]);
  const [said, say] = useState('');
  /** The number of the last comment that is shown; empty after the last one of all. */
  const last = useRef(button ? valueOf(button, 'commentsMore') : '');
  const loading = useRef(false);

  const more = async () => {
    if (!list || !button || loading.current) return;
    loading.current = true;
    button.setAttribute('aria-disabled', 'true');
    say(t('loading'));
    try {
      const older = await busy(api.get<Schemas['Comments']>('/rc-pub/front/front-article/comments', { id: page.id, after: last.current }));
      const shown = list.children.length;
      flushSync(() => setAdded((before) => [...before, ...older.content]));
      last.current = older.next ?? '';
      // The button that has the focus is about to go: the reader goes on at the first of the new comments.
      const next = document.activeElement === button && !last.current ? list.children[shown] : undefined;
      if (next instanceof HTMLElement) focusOn(next);
      button.hidden = !last.current;
      say(t('list_added', { n: older.content.length }));
    } catch (error) {
      say('');
      const failure = told(error, t('list_failed'));
      if (failure) notify(failure, 'failed');
    }
    loading.current = false;
    button.removeAttribute('aria-disabled');
  };

  const latest = useRef(more);
  latest.current = more;
  useEffect(() => {
    if (!button) return;
    const click = () => void latest.current();
    button.addEventListener('click', click);
    button.hidden = !last.current;
    return () => {
      button.removeEventListener('click', click);
      button.hidden = true;
    };
  }, [button]);
  return (
    <>
      {list &&
        createPortal(
          added.map((comment) => <Comment key={comment.id} {...comment} />),
          list,
        )}
      <p className="mh-hidden" role="status">
        {said}
      </p>
    </>
  );
}
