import { Button, Popover, useT } from '@masthead/ui-sdk';
import { loadOverlays } from '@masthead/ui-sdk/shell';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { goTo } from '../browser/scroll.ts';
import { optional } from '../slots/optional.tsx';
import { rangesOf, targetsOf } from './links.ts';
import { around, first, isPart, valueOf } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { ScholarLinks } from './Scholar.tsx';
import { cloneAlone, textOf } from './tools.ts';

const CitedIn = optional(() => import('./CitedIn.tsx'));

interface Opened {
  link: HTMLAnchorElement;
  kind: string;
  targets: HTMLElement[];
  /** Opened by click or key: the popover takes the focus and stays open until it is closed. */
  held: boolean;
}

/** Where the way back leads, and the element at the target that holds its button. */
interface Origin {
  place: HTMLElement;
  toReference: boolean;
  holder: HTMLElement;
}

const KINDS = new Set(['bibr', 'fn', 'fig', 'table', 'chem', 'disp-formula']);
/** Kinds to whose place a click of the mouse leads, which has shown the popover by hovering. */
const GONE_TO = new Set(['fig', 'table', 'chem', 'disp-formula']);

const contentOf = (target: HTMLElement) => around(target, 'figure', 'table', 'formula', 'reference', 'footnote') ?? target;

function Content({ target, opened }: { target: HTMLElement; opened: Opened }) {
  const box = useRef<HTMLDivElement>(null);
  // Before the popover is measured: it would be laid out and placed empty, and both a second time.
  useLayoutEffect(() => {
    const from = contentOf(target);
    const parts: Element[] = [from];
    // The notes of a table are the next sibling of its box.
    if (isPart(from, 'tableBox') && isPart(from.nextElementSibling, 'tableNotes')) parts.push(from.nextElementSibling);
    box.current?.replaceChildren(...parts.map(cloneAlone));
  }, [target]);
  useEffect(() => {
    // The popover takes the focus here, when its content is in the document: its code may load after the key was pressed,
    // and a popover that was opened by hovering or focus is clicked while it is open.
    const popover = box.current?.closest<HTMLElement>('.xref-popover');
    if (opened.held && popover && !popover.contains(document.activeElement)) popover.focus({ preventScroll: true });
  }, [opened]);
  return <div ref={box} className="xref-body" lang={target.closest<HTMLElement>('[lang]')?.lang} />;
}

/**
 * An element at the beginning of a target for the button of the way back, so that the next press of Tab reaches it, before what the target has of
 * its own.
 */
function holderAt(target: HTMLElement): HTMLElement {
  const holder = document.createElement('span');
  holder.className = 'return-place';
  // A link and a formula contain no button, and a list contains items only.
  const whole = target.closest('a, math');
  const item = target.matches('ul, ol, dl') ? target.firstElementChild : null;
  if (whole) whole.after(holder);
  else (item ?? target).prepend(holder);
  return holder;
}

/** The text with which scholar search looks for a reference; empty for other targets. */
const citationOf = (target: HTMLElement) => (isPart(target, 'reference') ? textOf(first(target, 'citation') ?? target) : '');

function Actions({ target, citation, onGo }: { target: HTMLElement; citation: string; onGo(target: HTMLElement): void }) {
  const t = useT();
  return (
    <div className="xref-actions">
      <button type="button" onClick={() => onGo(target)}>
        {t('go_to')}
      </button>
      {citation && <ScholarLinks key={citation} citation={citation} />}
    </div>
  );
}

/** A part of the article with cross-references, and what leads to a target where that is not done by scrolling to it. */
type XrefsProps = Pick<ReaderProps, 'article' | 'begun'> & { onGo?(target: HTMLElement): void };

export function Xrefs({ article, begun, onGo }: XrefsProps) {
  const t = useT();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [origin, setOrigin] = useState<Origin | null>(null);
  const state = useRef(opened);
  state.current = opened;
  const timer = useRef(0);
  const quiet = useRef<Element | null>(null);

  const close = useCallback(() => {
    clearTimeout(timer.current);
    setOpened(null);
  }, []);
  const open = useCallback((link: HTMLAnchorElement, held: boolean) => {
    clearTimeout(timer.current);
    // Two works under one label are one content.
    const targets = [...new Map(targetsOf(link).map((target) => [contentOf(target), target])).values()];
    const [target] = targets;
    if (!target) return;
    // Without the code of popovers, a click leads to the place, as the link does.
    if (held) loadOverlays().catch(() => goTo(target));
    setOpened({ link, targets, held, kind: valueOf(link, 'xref') });
  }, []);
  const go = useCallback(
    (target: HTMLElement, from: HTMLElement, toReference: boolean) => {
      if (onGo) return onGo(target);
      setOrigin({ place: from, toReference, holder: holderAt(target) });
      // After the popover has returned the focus.
      requestAnimationFrame(() => {
        // A citation that gets the focus in this way does not open its popover.
        quiet.current = target;
        goTo(target);
        target.classList.add('is-landed');
        setTimeout(() => target.classList.remove('is-landed'), 1700);
      });
    },
    [onGo],
  );

  useEffect(() => {
    // What was pressed last: not every browser says of a click by what it was made.
    let pointer = '';
    const linkOf = (event: Event) => (event.target instanceof Element ? around(event.target, 'xref') : null);
    const over = (event: PointerEvent) => {
      const link = event.pointerType === 'mouse' ? linkOf(event) : null;
      if (!link || state.current?.held) return;
      clearTimeout(timer.current);
      void loadOverlays().catch(() => undefined);
      timer.current = window.setTimeout(() => open(link, false), state.current ? 60 : 220);
    };
    const out = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || !linkOf(event) || state.current?.held) return;
      clearTimeout(timer.current);
      timer.current = window.setTimeout(close, 260);
    };
    const focus = (event: FocusEvent) => {
      const link = linkOf(event);
      if (!link || state.current?.held || quiet.current === link || !link.matches(':focus-visible')) return;
      open(link, false);
    };
    const blur = (event: FocusEvent) => {
      // The focus may leave another element on its way to the quiet link.
      if (linkOf(event) === quiet.current) quiet.current = null;
      if (linkOf(event) && state.current && !state.current.held) timer.current = window.setTimeout(close, 120);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !state.current) return;
      quiet.current = state.current.link;
      close();
    };
    const down = (event: PointerEvent) => {
      pointer = event.pointerType;
    };
    const click = (event: MouseEvent) => {
      const link = linkOf(event);
      const target = link && targetsOf(link)[0];
      if (!link || !target || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      // A click by key counts no presses. It opens the popover, as a finger does: neither has hovered.
      if (event.detail > 0 && pointer === 'mouse' && GONE_TO.has(valueOf(link, 'xref'))) {
        close();
        return go(target, link, false);
      }
      if (state.current?.held && state.current.link === link) return close();
      open(link, true);
    };
    article.addEventListener('pointerover', over);
    article.addEventListener('pointerout', out);
    article.addEventListener('focusin', focus);
    article.addEventListener('focusout', blur);
    article.addEventListener('pointerdown', down);
    article.addEventListener('click', click);
    document.addEventListener('keydown', key);
    return () => {
      clearTimeout(timer.current);
      article.removeEventListener('pointerover', over);
      article.removeEventListener('pointerout', out);
      article.removeEventListener('focusin', focus);
      article.removeEventListener('focusout', blur);
      article.removeEventListener('pointerdown', down);
      article.removeEventListener('click', click);
      document.removeEventListener('keydown', key);
    };
  }, [article, open, close, go]);

  useEffect(() => {
    const link = opened?.link;
    link?.setAttribute('data-open', '');
    return () => link?.removeAttribute('data-open');
  }, [opened]);

  useEffect(() => () => origin?.holder.remove(), [origin]);

  const toCitation = useCallback((place: HTMLElement, reference: HTMLElement) => go(place, reference, true), [go]);

  const kind = opened && KINDS.has(opened.kind) ? opened.kind : 'other';
  const { targets = [] } = opened ?? {};
  const numbers = targets.length > 1 ? rangesOf(targets.map((target) => textOf(first(target, 'mark')))) : '';
  const label = opened ? `${t(`kind_${kind}`)}${kind === 'bibr' ? ` ${numbers || (opened.link.textContent ?? '')}` : ''}` : '';
  return (
    <>
      <Popover
        open={opened !== null}
        onOpenChange={(next) => {
          if (next) return;
          quiet.current = opened?.link ?? null;
          close();
        }}
        anchor={opened?.link ?? null}
        label={label}
        moveFocus={opened?.held ?? false}
        className={`xref-popover xref-${kind}`}
        onPointerEnter={() => clearTimeout(timer.current)}
        onPointerLeave={() => {
          if (!state.current?.held) timer.current = window.setTimeout(close, 260);
        }}
      >
        {opened && (
          <>
            <h2>{label}</h2>
            <div className={targets.length > 1 ? 'xref-range' : undefined}>
              {targets.map((target, index) => (
                <div key={target.id || index} className="xref-part">
                  <Content target={target} opened={opened} />
                  <Actions
                    target={target}
                    citation={kind === 'bibr' ? citationOf(target) : ''}
                    onGo={(wanted) => {
                      close();
                      go(wanted, opened.link, false);
                    }}
                  />
                </div>
              ))}
            </div>
          </>
        )}
      </Popover>
      {origin &&
        createPortal(
          <Button
            className="return-chip"
            onClick={() => {
              const { place, toReference } = origin;
              setOrigin(null);
              if (toReference) return goTo(place);
              place.scrollIntoView({ block: 'center' });
              quiet.current = place;
              place.focus({ preventScroll: true });
            }}
          >
            {origin.toReference ? t('back_to_reference') : t('back_to_text')}
          </Button>,
          origin.holder,
        )}
      {begun && <CitedIn article={article} onGo={toCitation} />}
    </>
  );
}
