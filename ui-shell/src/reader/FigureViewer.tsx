import { Dialog, useNotify, useT } from '@masthead/ui-sdk';
import { loadOverlays } from '@masthead/ui-sdk/shell';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { targetOf } from '../browser/scroll.ts';
import { ModuleBoundary } from '../slots/ModuleBoundary.tsx';
import { Enlarge } from './Enlarge.tsx';
import { all, around, first } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { addEntry, hasOwnEntry, leaveEntry, type Place, textOf, useInserted } from './tools.ts';

const load = () => import('./Viewer.tsx');
const Viewer = lazy(load);
const warm = () => {
  load().catch(() => undefined);
  loadOverlays().catch(() => undefined);
};

const INSIDE: Place = (figure, host) => figure.append(host);

const HASH = '#view-';
/** The figure that the address shows in the viewer, as an index. */
function atAddress(figures: readonly HTMLElement[]): number | null {
  const asked = location.hash.startsWith(HASH) ? targetOf(`#${location.hash.slice(HASH.length)}`) : null;
  const index = figures.findIndex((figure) => figure === asked);
  return index < 0 ? null : index;
}

/** Opens the figures of the article on the whole screen. The address names the figure; Back closes the viewer. */
export function FigureViewer({ article }: ReaderProps) {
  const t = useT();
  const notify = useNotify();
  const figures = useMemo(() => all(article, 'figure').filter((figure) => figure.querySelector('img')), [article]);
  const hosts = useInserted(figures, 'fig-tools', INSIDE);
  const [at, setAt] = useState<number | null>(null);
  const opener = useRef<HTMLElement | null>(null);

  const addressOf = useCallback((index: number) => location.pathname + location.search + (figures[index]?.id ? HASH + figures[index].id : ''), [figures]);
  const open = useCallback(
    (index: number) => {
      warm();
      setAt(index);
      addEntry(addressOf(index));
    },
    [addressOf],
  );
  const turn = useCallback(
    (index: number) => {
      setAt(index);
      history.replaceState(history.state, '', addressOf(index));
    },
    [addressOf],
  );
  const leave = (target?: HTMLElement) => {
    setAt(null);
    if (!hasOwnEntry()) history.replaceState(history.state, '', location.pathname + location.search);
    leaveEntry(target);
  };

  useEffect(() => {
    const follow = () => setAt(atAddress(figures));
    const linked = atAddress(figures);
    if (linked !== null) {
      warm();
      turn(linked);
    }
    const click = (event: MouseEvent) => {
      const image = event.target instanceof HTMLImageElement ? around(event.target, 'figure') : null;
      const index = image ? figures.indexOf(image) : -1;
      if (index < 0) return;
      event.preventDefault();
      opener.current = figures[index]?.querySelector<HTMLElement>('.fig-open') ?? null;
      open(index);
    };
    for (const figure of figures) figure.querySelector('img')?.setAttribute('data-opens', '');
    article.addEventListener('click', click);
    addEventListener('popstate', follow);
    return () => {
      article.removeEventListener('click', click);
      removeEventListener('popstate', follow);
      for (const figure of figures) figure.querySelector('img')?.removeAttribute('data-opens');
    };
  }, [article, figures, open, turn]);

  // Not again when the viewer opens or turns: none of the buttons changes, and an article has many.
  const buttons = useMemo(
    () =>
      figures.map((each, index) => {
        const host = hosts.get(each);
        return (
          host &&
          createPortal(
            <Enlarge
              name={textOf(first(each, 'label')) || t('figure')}
              onPointerEnter={warm}
              onClick={(event) => {
                opener.current = event.currentTarget;
                open(index);
              }}
            />,
            host,
            String(index),
          )
        );
      }),
    [figures, hosts, t, open],
  );
  return (
    <>
      {buttons}
      <Dialog
        open={at !== null}
        onOpenChange={(next) => !next && leave()}
        title={t('figures')}
        hideTitle
        variant="full"
        className="viewer"
        closeLabel={t('close')}
        returnFocus={() => opener.current}
      >
        {at !== null && (
          <ModuleBoundary
            fallback={null}
            onError={() => {
              // The figure is in the article, too, which an empty viewer would cover.
              notify(t('error_text'), 'failed');
              leave();
            }}
          >
            <Suspense>
              <Viewer
                figures={figures}
                at={at}
                nameOf={(figure, index) => textOf(first(figure, 'label')) || t('count', { n: index + 1, total: figures.length })}
                onTurn={turn}
                onLeave={leave}
              />
            </Suspense>
          </ModuleBoundary>
        )}
      </Dialog>
    </>
  );
}
