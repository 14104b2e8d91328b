import { Button, Popover, useT } from '@masthead/ui-sdk';
import { loadOverlays } from '@masthead/ui-sdk/shell';
import { useCallback, useEffect, useRef, useState } from 'react';
import { goTo, targetOf } from '../browser/scroll.ts';
import type { ReaderProps } from './props.ts';
import { cloneContent } from './tools.ts';

interface Opened {
  link: HTMLAnchorElement;
  kind: string;
  target: HTMLElement;
  /** Opened by click or key: the popover takes the focus and stays open until it is closed. */
  held: boolean;
}

const KINDS = new Set(['bibr', 'fn', 'fig', 'table', 'chem', 'disp-formula']);

const targetOfLink = (link: HTMLAnchorElement) => targetOf(link.getAttribute('href') ?? '');

function Content({ opened }: { opened: Opened }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const from = opened.target.closest<HTMLElement>('.fig, figure.table, .disp-formula, .ref, .footnote') ?? opened.target;
    const parts: Element[] = [from];
    // The notes of a table are the next sibling of its box.
    if (from.matches('.table-wrap') && from.nextElementSibling?.matches('.table-notes')) parts.push(from.nextElementSibling);
    box.current?.replaceChildren(...parts.map(cloneContent));
    // The popover takes the focus here, when its content is in the document: its code may load after the key was pressed,
    // and a popover that was opened by hovering or focus is clicked while it is open.
    const popover = box.current?.closest<HTMLElement>('.xref-popover');
    if (opened.held && popover && !popover.contains(document.activeElement)) popover.focus({ preventScroll: true });
  }, [opened]);
  return <div ref={box} className="xref-body" lang={opened.target.closest<HTMLElement>('[lang]')?.lang} />;
}

export function Xrefs({ article }: ReaderProps) {
  const t = useT();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [origin, setOrigin] = useState<HTMLElement | null>(null);
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
    const target = targetOfLink(link);
    if (target) setOpened({ link, target, held, kind: link.dataset['refType'] ?? 'other' });
  }, []);

  useEffect(() => {
    const linkOf = (event: Event) => (event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.xref[href^="#"]') : null);
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
      if (!link || state.current || quiet.current === link || !link.matches(':focus-visible')) return;
      open(link, false);
    };
    const blur = (event: FocusEvent) => {
      quiet.current = null;
      if (linkOf(event) && state.current && !state.current.held) timer.current = window.setTimeout(close, 120);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !state.current) return;
      quiet.current = state.current.link;
      close();
    };
    const click = (event: MouseEvent) => {
      const link = linkOf(event);
      if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || !targetOfLink(link)) return;
      event.preventDefault();
      if (state.current?.held && state.current.link === link) return close();
      open(link, true);
    };
    article.addEventListener('pointerover', over);
    article.addEventListener('pointerout', out);
    article.addEventListener('focusin', focus);
    article.addEventListener('focusout', blur);
    article.addEventListener('click', click);
    document.addEventListener('keydown', key);
    return () => {
      clearTimeout(timer.current);
      article.removeEventListener('pointerover', over);
      article.removeEventListener('pointerout', out);
      article.removeEventListener('focusin', focus);
      article.removeEventListener('focusout', blur);
      article.removeEventListener('click', click);
      document.removeEventListener('keydown', key);
    };
  }, [article, open, close]);

  useEffect(() => {
    const link = opened?.link;
    link?.setAttribute('data-open', '');
    return () => link?.removeAttribute('data-open');
  }, [opened]);

  const kind = opened && KINDS.has(opened.kind) ? opened.kind : 'other';
  const label = opened ? `${t(`kind_${kind}`)}${kind === 'bibr' ? ` ${opened.link.textContent ?? ''}` : ''}` : '';
  const citation =
    opened && kind === 'bibr' ? (opened.target.querySelector('.citation')?.textContent ?? opened.target.textContent ?? '').replace(/\s+/g, ' ').trim() : '';
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
            <Content opened={opened} />
            <div className="xref-actions">
              <button
                type="button"
                onClick={() => {
                  const { link, target } = opened;
                  close();
                  setOrigin(link);
                  // After the popover has returned the focus.
                  requestAnimationFrame(() => {
                    goTo(target);
                    target.classList.add('is-landed');
                    setTimeout(() => target.classList.remove('is-landed'), 1700);
                  });
                }}
              >
                {t('go_to')}
              </button>
              {citation && (
                <a href={`https://scholar.google.com/scholar?q=${encodeURIComponent(citation.slice(0, 300))}`} target="_blank" rel="noopener noreferrer">
                  {t('scholar')}
                </a>
              )}
            </div>
          </>
        )}
      </Popover>
      {origin && (
        <Button
          className="return-chip"
          onClick={() => {
            origin.scrollIntoView({ block: 'center' });
            quiet.current = origin;
            origin.focus({ preventScroll: true });
            setOrigin(null);
          }}
        >
          {t('back_to_text')}
        </Button>
      )}
    </>
  );
}
