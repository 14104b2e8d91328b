import { useT } from '@masthead/ui-sdk';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { targetOf } from '../browser/scroll.ts';
import { read, write } from '../browser/storage.ts';
import { Icon } from './Icon.tsx';
import { first } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { whenMoved } from './tools.ts';

const STORE = 'masthead.outline';

/** Marks the current section in the outline. Below 992 px the outline is collapsed and a button opens it. */
export function Outline({ article }: ReaderProps) {
  const t = useT();
  const nav = first(article, 'outline');
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(() => read('session', STORE, false));
  useEffect(() => {
    if (!nav) return;
    const element = document.createElement('div');
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
    write('session', STORE, open);
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
      for (const { link, target } of lines) if (target.getBoundingClientRect().top <= line) found = link;
      if (innerHeight + scrollY >= document.documentElement.scrollHeight - 2) found = lines.at(-1)?.link;
      if (found === current) return;
      current?.removeAttribute('aria-current');
      current = found;
      if (!current) return;
      current.setAttribute('aria-current', 'location');
      if (nav.scrollHeight > nav.clientHeight) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
    };
    const end = whenMoved(look);
    const follow = (event: MouseEvent) => event.target instanceof Element && event.target.closest('a') && setOpen(false);
    nav.addEventListener('click', follow);
    return () => {
      end();
      nav.removeEventListener('click', follow);
      current?.removeAttribute('aria-current');
    };
  }, [nav]);
  return (
    host &&
    createPortal(
      <button type="button" className="outline-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('outline')}
        <Icon path="M7 10l5 5 5-5" />
      </button>,
      host,
    )
  );
}
