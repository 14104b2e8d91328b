import { Button, linkDestination, useT } from '@masthead/ui-sdk';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type PointerEvent } from 'react';
import { targetOf } from '../browser/scroll.ts';
import { Icon } from './Icon.tsx';
import { first, shownAt, valueOf } from './parts.ts';
import { cloneContent, textOf } from './tools.ts';
import { kept, WHOLE, zoomed, type Stage, type View } from './view.ts';
import { Xrefs } from './Xrefs.tsx';

/** Pixels that a finger moves to turn to the next figure, and that a key moves the picture. */
const SWIPE = 48;
const STEP = 60;

const isRtl = () => document.documentElement.dir === 'rtl';

/** The stage and the place of the whole picture on it: `object-fit: contain` within the padding. */
function measured(stage: HTMLElement, image: HTMLImageElement): Stage {
  const { clientWidth: width, clientHeight: height } = stage;
  const padding = Number.parseFloat(getComputedStyle(image).paddingTop) || 0;
  const natural = { width: image.naturalWidth || width, height: image.naturalHeight || height };
  const fit = Math.min((width - 2 * padding) / natural.width, (height - 2 * padding) / natural.height) || 0;
  const picture = { width: natural.width * fit, height: natural.height * fit };
  return { width, height, picture: { ...picture, left: (width - picture.width) / 2, top: (height - picture.height) / 2 } };
}

/** The name of a downloaded figure: its label, and the ending of the file, so that it is not named by a digest. */
const fileName = (name: string, address: string) => name + (/\.\w+$/.exec(address)?.[0] ?? '');

interface Hand {
  /** Changes the view; the picture stays on the stage. */
  change(how: (view: View, stage: Stage) => View): void;
  scale(): number;
  focus(): void;
}

function Picture({ image, name, hand, onTurn }: { image: HTMLImageElement; name: string; hand: { current: Hand | null }; onTurn(step: number): void }) {
  const stage = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLImageElement>(null);
  const [view, setView] = useState(WHOLE);
  const [slide, setSlide] = useState(0);
  const latest = useRef(view);
  latest.current = view;
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const gesture = useRef({ x: 0, y: 0, swipes: false });

  const change = useCallback<Hand['change']>((how) => {
    if (!stage.current || !shown.current) return;
    const size = measured(stage.current, shown.current);
    setView((now) => kept(how(now, size), size));
  }, []);
  useLayoutEffect(() => {
    hand.current = { change, scale: () => latest.current.scale, focus: () => stage.current?.focus({ preventScroll: true }) };
    return () => {
      hand.current = null;
    };
  }, [hand, change]);
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      change((now) => zoomed(now, Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top));
    };
    const resize = () => change((now) => now);
    element.addEventListener('wheel', wheel, { passive: false });
    addEventListener('resize', resize);
    return () => {
      element.removeEventListener('wheel', wheel);
      removeEventListener('resize', resize);
    };
  }, [change]);

  useLayoutEffect(() => {
    setView(WHOLE);
    setSlide(0);
  }, [image]);

  const down = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture?.(event.pointerId);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const alone = pointers.current.size === 1;
    gesture.current = { x: event.clientX, y: event.clientY, swipes: alone && event.pointerType !== 'mouse' && latest.current.scale === 1 };
    if (!alone) setSlide(0);
  };
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const here = { x: event.clientX, y: event.clientY };
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.current.set(event.pointerId, here);
    if (other) {
      const box = event.currentTarget.getBoundingClientRect();
      const far = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      const factor = far(here) / far(before);
      change((now) => zoomed(now, factor, (here.x + other.x) / 2 - box.left, (here.y + other.y) / 2 - box.top));
    } else if (gesture.current.swipes) setSlide(here.x - gesture.current.x);
    else change((now) => ({ ...now, x: now.x + here.x - before.x, y: now.y + here.y - before.y }));
  };
  const end = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId)) return;
    setSlide(0);
    const [x, y] = [event.clientX - gesture.current.x, event.clientY - gesture.current.y];
    const swiped = gesture.current.swipes && event.type === 'pointerup' && Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y);
    gesture.current.swipes = false;
    if (swiped) onTurn(x < 0 !== isRtl() ? 1 : -1);
  };
  return (
    <div
      ref={stage}
      className="viewer-stage"
      role="group"
      aria-label={name}
      tabIndex={0}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const [x, y] = [event.clientX - box.left, event.clientY - box.top];
        change((now) => (now.scale > 1 ? WHOLE : zoomed(now, 2.5, x, y)));
      }}
    >
      <img
        ref={shown}
        key={image.src}
        src={shownAt(image)}
        alt={image.alt}
        draggable={false}
        style={{ transform: `translate(${view.x + slide}px, ${view.y}px) scale(${view.scale})` }}
      />
    </div>
  );
}

/**
 * The caption, and that of the group that the figure is part of. Cross-references in it have their popovers; other links close the viewer and lead to
 * their places.
 */
function Caption({ figure, name, onLeave }: { figure: HTMLElement; name: string; onLeave(target: HTMLElement): void }) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const captions = [figure.querySelector('figcaption'), figure.parentElement?.closest('figure')?.querySelector(':scope > figcaption')];
    const inner = document.createElement('div');
    for (const caption of captions) if (caption) inner.append(...cloneContent(caption).childNodes);
    box?.replaceChildren(inner);
    if (box) box.scrollTop = 0;
  }, [figure, box]);
  return (
    <>
      <div
        ref={setBox}
        className="viewer-caption"
        role="group"
        aria-label={name}
        lang={figure.closest<HTMLElement>('[lang]')?.lang}
        tabIndex={0}
        onClick={(event) => {
          const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
          const target = link && targetOf(link.hash);
          if (!target || event.defaultPrevented) return;
          event.preventDefault();
          onLeave(target);
        }}
      />
      {/* Another one for each figure: the popover of the figure before has lost its link. */}
      {box && <Xrefs key={name} article={box} begun={false} onGo={onLeave} />}
    </>
  );
}

/** All figures as small pictures: one stop of the Tab key. */
function Thumbnails({ figures, at, nameOf, onTurn }: Pick<ViewerProps, 'figures' | 'at' | 'nameOf' | 'onTurn'>) {
  const t = useT();
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = strip.current?.querySelector<HTMLElement>('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
    if (strip.current?.contains(document.activeElement)) current?.focus({ preventScroll: true });
  }, [at]);
  if (figures.length < 2) return null;
  return (
    <div ref={strip} className="viewer-thumbs" role="group" aria-label={t('thumbnails')}>
      {figures.map((figure, index) => {
        const image = figure.querySelector('img');
        return (
          <button
            key={figure.id || index}
            type="button"
            aria-label={nameOf(figure, index)}
            aria-current={index === at || undefined}
            tabIndex={index === at ? 0 : -1}
            onClick={() => onTurn(index)}
          >
            <img
              src={image ? valueOf(image, 'small') || image.src : undefined}
              alt=""
              width="64"
              height="48"
              loading="lazy"
              decoding="async"
              draggable={false}
            />
          </button>
        );
      })}
    </div>
  );
}

export interface ViewerProps {
  figures: readonly HTMLElement[];
  at: number;
  nameOf(figure: HTMLElement, index: number): string;
  onTurn(index: number): void;
  onLeave(target: HTMLElement): void;
}

/** The content of the viewer: one figure on the whole screen, with the keys and gestures that change it. */
export default function Viewer({ figures, at, nameOf, onTurn, onLeave }: ViewerProps) {
  const t = useT();
  const hand = useRef<Hand | null>(null);
  const turn = (step: number) => figures.length > 1 && onTurn((at + step + figures.length) % figures.length);
  const zoom = (factor: number) => hand.current?.change((now, stage) => zoomed(now, factor, stage.width / 2, stage.height / 2));
  const whole = () => hand.current?.change(() => WHOLE);

  const keys = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    const large = (hand.current?.scale() ?? 1) > 1;
    const [x, y] = { ArrowRight: [-1, 0], ArrowLeft: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key] ?? [0, 0];
    const inCaption = event.target instanceof Element && event.target.closest('.viewer-caption');
    // The keys that scroll are those of the caption while it has the focus.
    if (inCaption && (y || /^(Page|Home|End)/.test(event.key))) return;
    if (x || y) {
      if (large) hand.current?.change((now) => ({ ...now, x: now.x + (x ?? 0) * STEP, y: now.y + (y ?? 0) * STEP }));
      else if (x) turn(x < 0 !== isRtl() ? 1 : -1);
      else return;
    } else if (event.key === 'PageDown') turn(1);
    else if (event.key === 'PageUp') turn(-1);
    else if (event.key === 'Home') onTurn(0);
    else if (event.key === 'End') onTurn(figures.length - 1);
    else if (event.key === '+' || event.key === '=') zoom(1.4);
    else if (event.key === '-') zoom(1 / 1.4);
    else if (event.key === '0') whole();
    else return;
    event.preventDefault();
  };
  // On the document: the keys work wherever the focus is, also after a click that took it from everything.
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listen);
    hand.current?.focus();
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const figure = figures[at];
  const image = figure?.querySelector('img');
  if (!figure || !image) return null;
  const original = valueOf(image, 'original') || shownAt(image);
  const name = nameOf(figure, at);
  return (
    <>
      <div className="viewer-bar">
        <Button variant="icon" aria-label={t('previous')} disabled={figures.length < 2} onClick={() => turn(-1)}>
          <Icon path="M15 5l-7 7 7 7" />
        </Button>
        <Button variant="icon" aria-label={t('next')} disabled={figures.length < 2} onClick={() => turn(1)}>
          <Icon path="M9 5l7 7-7 7" />
        </Button>
        <span className="viewer-count" aria-live="polite">
          {t('count', { n: at + 1, total: figures.length })}
          <span className="mh-hidden">{`: ${textOf(first(figure, 'captionTitle')) || image.alt}`}</span>
        </span>
        <span className="viewer-space" />
        <Button variant="icon" aria-label={t('zoom_out')} onClick={() => zoom(1 / 1.4)}>
          <Icon path="M6 12h12" />
        </Button>
        <Button variant="icon" aria-label={t('zoom_in')} onClick={() => zoom(1.4)}>
          <Icon path="M6 12h12M12 6v12" />
        </Button>
        <Button variant="icon" aria-label={t('zoom_reset')} onClick={whole}>
          <Icon path="M5 10V5h5M14 5h5v5M19 14v5h-5M10 19H5v-5" />
        </Button>
        <a
          className="mh-button mh-button-icon"
          href={linkDestination(original, location.href) && original}
          download={fileName(name, original)}
          aria-label={t('download')}
        >
          <Icon path="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14" />
        </a>
      </div>
      <Picture image={image} name={name} hand={hand} onTurn={turn} />
      <Caption figure={figure} name={name} onLeave={onLeave} />
      <Thumbnails figures={figures} at={at} nameOf={nameOf} onTurn={onTurn} />
    </>
  );
}
