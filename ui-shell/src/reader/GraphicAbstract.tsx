import { Dialog, useT } from '@masthead/ui-sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Enlarge } from './Enlarge.tsx';
import { around, selectorOf, shownAt } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { addEntry, leaveEntry, type Place, useInserted } from './tools.ts';

const AFTER: Place = (image, host) => image.after(host);
const SECTION = selectorOf('section', 'graphic-abstract');

/** The parameter of an address that has the value 1 if the picture is open at first. */
const ASKED = 'graphicAbstract';

const openerOf = (picture: HTMLElement) => (picture.closest('figure') ?? picture.parentElement)?.querySelector('.fig-open') ?? null;

/** The picture that an image or a button beside it opens. */
const pictureOf = (part: Element): HTMLImageElement | null =>
  part instanceof HTMLImageElement ? part : ((part.closest('figure') ?? part.closest('.fig-tools')?.parentElement)?.querySelector('img') ?? null);

/** Shows the pictures of a graphical abstract in a dialog over most of the window; a click outside of it closes it. */
export default function GraphicAbstract({ article }: ReaderProps) {
  const t = useT();
  // Numbered figures have the button of the figure viewer already.
  const alone = useMemo(() => [...article.querySelectorAll<HTMLElement>(`${SECTION} img`)].filter((image) => !around(image, 'figure')), [article]);
  const hosts = useInserted(alone, 'fig-tools', AFTER);
  const [shown, setShown] = useState<HTMLImageElement | null>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    const click = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const part = target?.closest(SECTION) ? target.closest('img, .fig-open') : null;
      const picture = part && pictureOf(part);
      if (!picture) return;
      event.preventDefault();
      // Before the figure viewer, which opens the same pictures among the other figures.
      event.stopPropagation();
      opener.current = openerOf(picture);
      setShown(picture);
      addEntry();
    };
    for (const image of alone) image.setAttribute('data-opens', '');
    // Back closes the picture, which has an entry of the history of its own unless the address asked for it.
    const close = () => setShown(null);
    article.addEventListener('click', click, true);
    addEventListener('popstate', close);
    return () => {
      article.removeEventListener('click', click, true);
      removeEventListener('popstate', close);
      for (const image of alone) image.removeAttribute('data-opens');
    };
  }, [article, alone]);
  // The address asks for it: a link in a list that shows the picture.
  useEffect(() => {
    const first = new URLSearchParams(location.search).get(ASKED) === '1' ? article.querySelector<HTMLImageElement>(`${SECTION} img`) : null;
    if (!first) return;
    opener.current = openerOf(first);
    setShown(first);
  }, [article]);
  const leave = () => {
    setShown(null);
    leaveEntry(undefined);
  };
  return (
    <>
      {alone.map((image, index) => {
        const host = hosts.get(image);
        return host && createPortal(<Enlarge name={image.getAttribute('alt') || t('graphic_abstract')} />, host, String(index));
      })}
      <Dialog
        open={shown !== null}
        onOpenChange={(open) => !open && leave()}
        title={t('graphic_abstract')}
        hideTitle
        className="graphic-dialog"
        closeLabel={t('close')}
        returnFocus={() => opener.current}
      >
        {shown && <img src={shownAt(shown)} alt={shown.alt} />}
      </Dialog>
    </>
  );
}
