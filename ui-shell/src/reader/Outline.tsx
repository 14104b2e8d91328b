import { useT } from '@masthead/ui-sdk';
import { useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { targetOf } from '../browser/scroll.ts';
import { read, write } from '../browser/storage.ts';
import { Icon } from './Icon.tsx';
import { first } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { useMedia, whenMoved } from './tools.ts';

/** Windows in which the outline stands beside the text; in others it stands above. */
const WIDE = '(min-width: 992px)';
/** Where the reader's choices are kept: beside the text the outline is open at first, above it folded. */
const STORES = { beside: 'masthead.outline.beside', above: 'masthead.outline' } as const;

/** Marks the current section in the outline, whose list folds under a button. Above the text, following an entry folds it, too. */
export function Outline({ article }: ReaderProps) {
  const t = useT();
  const nav = first(article, 'outline');
  const [host, setHost] = useState<HTMLElement | null>(null);
  const place = useMedia(WIDE) ? 'beside' : 'above';
  const [choices, setChoices] = useState(() => ({
    beside: read<boolean>('session', STORES.beside, true),
    above: read<boolean>('session', STORES.above, false),
  }));
  const open = choices[place];
  const choose = useCallback(
    (next: boolean) => {
      setChoices((now) => ({ ...now, [place]: next }));
      write('session', STORES[place], next);
    },
    [place],
  );
  useEffect(() => {
    if (!nav) return;
    const element = document.createElement('div');
    element.className = 'outline-head';
    nav.prepend(element);
    setHost(element);
    // From here on the style sheet folds the list, because there is a button that unfolds it.
    nav.toggleAttribute('data-folds', true);
    return () => {
      nav.removeAttribute('data-folds');
      element.remove();
    };
  }, [nav]);
  useEffect(() => {
    if (!nav) return;
    nav.toggleAttribute('data-open', open);
    return () => nav.removeAttribute('data-open');
  }, [nav, open]);
  useEffect(() => {
    if (!nav) return;
    const lines = [...nav.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].flatMap((link) => {
      const target = targetOf(link.hash);
      return target ? [{ link, target }] : [];
    });
    let current: HTMLAnchorElement | undefined;
    const look = () => {
      const line = 180;
      let found = lines[0]?.link;
      for (const { link, target } of lines) {
        const { top, height } = target.getBoundingClientRect();
        // What is hidden, as a translation that is shown beside its original, has no height, and is nowhere.
        if (height && top <= line) found = link;
      }
      if (innerHeight + scrollY >= document.documentElement.scrollHeight - 2) found = lines.at(-1)?.link;
      if (found === current) return;
      current?.removeAttribute('aria-current');
      current = found;
      if (!current) return;
      current.setAttribute('aria-current', 'location');
      if (nav.scrollHeight > nav.clientHeight) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
    };
    const end = whenMoved(look);
    return () => {
      end();
      current?.removeAttribute('aria-current');
    };
  }, [nav]);
  useEffect(() => {
    if (!nav || place === 'beside') return;
    const follow = (event: MouseEvent) => event.target instanceof Element && event.target.closest('a') && choose(false);
    nav.addEventListener('click', follow);
    return () => nav.removeEventListener('click', follow);
  }, [nav, place, choose]);
  return (
    host &&
    createPortal(
      <button type="button" className="outline-toggle" aria-expanded={open} onClick={() => choose(!open)}>
        {t('outline')}
        <Icon path="M7 10l5 5 5-5" />
      </button>,
      host,
    )
  );
}
