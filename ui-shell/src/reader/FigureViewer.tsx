import { Button, Dialog, linkDestination, useT } from '@masthead/ui-sdk';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { createPortal } from 'react-dom';
import { targetOf } from '../browser/scroll.ts';
import { Icon } from './Icon.tsx';
import type { ReaderProps } from './props.ts';
import { cloneContent, type Place, useInserted } from './tools.ts';

const INSIDE: Place = (figure, host) => figure.append(host);

const HASH = '#view-';
const MAX = 8;

interface View {
  scale: number;
  x: number;
  y: number;
}
const WHOLE: View = { scale: 1, x: 0, y: 0 };

/** The view scaled by `factor` around the point (x, y), in pixels of the stage; scale stays between 1 and 8. */
export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = Math.min(MAX, Math.max(1, view.scale * factor));
  if (scale === 1) return WHOLE;
  const real = scale / view.scale;
  return { scale, x: x - (x - view.x) * real, y: y - (y - view.y) * real };
}

function Stage({ image, view, setView }: { image: HTMLImageElement; view: View; setView(change: (view: View) => View): void }) {
  const stage = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      setView((now) => zoomed(now, Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [setView]);
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const others = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [other] = others;
    if (other) {
      const box = event.currentTarget.getBoundingClientRect();
      const far = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      const factor = far({ x: event.clientX, y: event.clientY }) / far(before);
      setView((now) => zoomed(now, factor, (event.clientX + other.x) / 2 - box.left, (event.clientY + other.y) / 2 - box.top));
    } else {
      setView((now) => (now.scale > 1 ? { ...now, x: now.x + event.clientX - before.x, y: now.y + event.clientY - before.y } : now));
    }
  };
  const end = (event: PointerEvent) => void pointers.current.delete(event.pointerId);
  return (
    <div
      ref={stage}
      className="viewer-stage"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture?.(event.pointerId);
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        setView((now) => (now.scale > 1 ? WHOLE : zoomed(now, 2.5, event.clientX - box.left, event.clientY - box.top)));
      }}
    >
      <img
        src={image.dataset['big'] ?? image.currentSrc ?? image.src}
        alt={image.alt}
        draggable={false}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      />
    </div>
  );
}

function Caption({ figure }: { figure: HTMLElement }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const caption = figure.querySelector('figcaption');
    const copy = caption && cloneContent(caption);
    const inner = document.createElement('div');
    if (copy) inner.append(...copy.childNodes);
    box.current?.replaceChildren(inner);
  }, [figure]);
  return <div ref={box} className="viewer-caption" lang={figure.closest<HTMLElement>('[lang]')?.lang} tabIndex={0} />;
}

/** Shows the figures of the article in full screen, with their captions. */
export function FigureViewer({ article }: ReaderProps) {
  const t = useT();
  const figures = useMemo(() => [...article.querySelectorAll<HTMLElement>('figure.fig')].filter((figure) => figure.querySelector('img')), [article]);
  const hosts = useInserted(figures, 'fig-tools', INSIDE);
  const [at, setAt] = useState<number | null>(null);
  const [view, setView] = useState(WHOLE);
  const opener = useRef<HTMLElement | null>(null);

  const show = useCallback(
    (index: number | null) => {
      setAt(index);
      setView(WHOLE);
      const figure = index === null ? undefined : figures[index];
      const address = figure?.id ? HASH + figure.id : location.pathname + location.search;
      history.replaceState(history.state, '', address);
    },
    [figures],
  );

  useEffect(() => {
    const asked = location.hash.startsWith(HASH) ? targetOf(`#${location.hash.slice(HASH.length)}`) : null;
    const linked = figures.findIndex((figure) => figure === asked);
    if (linked >= 0) show(linked);
    const click = (event: MouseEvent) => {
      const image = event.target instanceof Element ? event.target.closest('figure.fig img') : null;
      const index = image ? figures.findIndex((figure) => figure.contains(image)) : -1;
      if (index < 0) return;
      event.preventDefault();
      opener.current = figures[index]?.querySelector<HTMLElement>('.fig-open') ?? null;
      show(index);
    };
    for (const figure of figures) figure.querySelector('img')?.setAttribute('data-opens', '');
    article.addEventListener('click', click);
    return () => article.removeEventListener('click', click);
  }, [article, figures, show]);

  const nameOf = (figure: HTMLElement) => figure.querySelector('.caption-label')?.textContent?.trim() || t('figure');
  const figure = at === null ? undefined : figures[at];
  const image = figure?.querySelector('img');
  const original = image?.dataset['original'] ?? image?.currentSrc ?? image?.src ?? '';
  const turn = (step: number) => at !== null && figures.length > 1 && show((at + step + figures.length) % figures.length);
  const zoom = (factor: number) => setView((now) => zoomed(now, factor, innerWidth / 2, innerHeight / 2.5));
  const keys = (event: KeyboardEvent) => {
    const rtl = document.documentElement.dir === 'rtl';
    if (event.key === 'ArrowRight') turn(rtl ? -1 : 1);
    else if (event.key === 'ArrowLeft') turn(rtl ? 1 : -1);
    else if (event.key === '+' || event.key === '=') zoom(1.4);
    else if (event.key === '-') zoom(1 / 1.4);
    else if (event.key === '0') setView(WHOLE);
    else return;
    event.preventDefault();
  };
  return (
    <>
      {figures.map((each, index) => {
        const host = hosts.get(each);
        return (
          host &&
          createPortal(
            <button
              type="button"
              className="fig-open mh-button-icon"
              aria-haspopup="dialog"
              aria-label={t('enlarge', { name: nameOf(each) })}
              onClick={(event) => {
                opener.current = event.currentTarget;
                show(index);
              }}
            >
              <svg
                viewBox="0 0 24 24"
                aria-hidden="true"
                width="18"
                height="18"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.8"
                strokeLinecap="round"
                strokeLinejoin="round"
              >
                <path d="M14 5h5v5M10 19H5v-5M19 5l-6 6M5 19l6-6" />
              </svg>
            </button>,
            host,
            String(index),
          )
        );
      })}
      <Dialog
        open={Boolean(figure && image)}
        onOpenChange={(open) => !open && show(null)}
        title={t('figures')}
        hideTitle
        variant="full"
        className="viewer"
        closeLabel={t('close')}
        returnFocus={() => opener.current}
      >
        {figure && image && (
          <>
            <div className="viewer-bar" onKeyDown={keys}>
              <Button variant="icon" aria-label={t('previous')} disabled={figures.length < 2} onClick={() => turn(-1)}>
                <Icon path="M15 5l-7 7 7 7" />
              </Button>
              <Button variant="icon" aria-label={t('next')} disabled={figures.length < 2} onClick={() => turn(1)}>
                <Icon path="M9 5l7 7-7 7" />
              </Button>
              <span className="viewer-count" aria-live="polite">
                {t('count', { n: (at ?? 0) + 1, total: figures.length })}
              </span>
              <span className="viewer-space" />
              <Button variant="icon" aria-label={t('zoom_out')} onClick={() => zoom(1 / 1.4)}>
                <Icon path="M6 12h12" />
              </Button>
              <Button variant="icon" aria-label={t('zoom_in')} onClick={() => zoom(1.4)}>
                <Icon path="M6 12h12M12 6v12" />
              </Button>
              <Button variant="icon" aria-label={t('zoom_reset')} onClick={() => setView(WHOLE)}>
                <Icon path="M5 10V5h5M14 5h5v5M19 14v5h-5M10 19H5v-5" />
              </Button>
              <a className="mh-button mh-button-icon" href={linkDestination(original, location.href) && original} download aria-label={t('download')}>
                <Icon path="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14" />
              </a>
            </div>
            <Stage key={at} image={image} view={view} setView={setView} />
            <Caption figure={figure} />
          </>
        )}
      </Dialog>
    </>
  );
}
