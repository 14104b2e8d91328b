import { Button, Popover, Slot, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';
import { setCookie } from '../browser/environment.ts';
import { goTo } from '../browser/scroll.ts';
import { Icon } from './Icon.tsx';
import type { ReaderProps } from './props.ts';
import { useCopy } from './tools.ts';

const SIZES = { min: -1, max: 3 };
const SIZE = 'masthead.size';
const PLACES = 'masthead.places';

const isDark = () => {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : (globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches ?? false);
};

function stored<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}
function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without local storage (private mode) the choice lasts for this page.
  }
}

/** The section in which the reader left this article before, null if it was the first; stores the present one. */
function usePlace({ article, page }: ReaderProps): { id: string; title: string } | null {
  const [place, setPlace] = useState<{ id: string; title: string } | null>(null);
  useEffect(() => {
    const key = String(page.id);
    const before = stored<Record<string, string>>(PLACES, {})[key];
    const target = before ? document.getElementById(before) : null;
    const title = page.outline.find((line) => line.id === before)?.title;
    if (before && target && title && scrollY < 200 && !location.hash) setPlace({ id: before, title });
    let timer = 0;
    const keep = () => {
      if (scrollY > 400) setPlace(null);
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        const at = article.querySelector<HTMLAnchorElement>('.reader-outline [aria-current]')?.hash.slice(1);
        const { [key]: _, ...others } = stored<Record<string, string>>(PLACES, {});
        const kept = Object.entries(others).slice(-99);
        const first = page.outline[0]?.id;
        store(PLACES, Object.fromEntries(at && at !== first ? [...kept, [key, decodeURIComponent(at)]] : kept));
      }, 800);
    };
    addEventListener('scroll', keep, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', keep);
    };
  }, [article, page]);
  return place;
}

/** The toolbar of an article: text size, dark mode, citation, print. */
export function Toolbar(props: ReaderProps) {
  const { article, page } = props;
  const t = useT();
  const [size, setSize] = useState(() => stored(SIZE, 0));
  const [dark, setDark] = useState(isDark);
  const [citing, setCiting] = useState(false);
  const { said, copy } = useCopy();
  const cite = useRef<HTMLButtonElement>(null);
  const place = usePlace(props);
  useEffect(() => {
    article.dataset['size'] = String(size);
    store(SIZE, size);
  }, [article, size]);
  const turn = () => {
    const next = dark ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    setCookie('theme', next);
    store('masthead.theme', next);
    setDark(!dark);
  };
  return (
    <div className="toolbar" role="toolbar" aria-label={t('tools')}>
      <div role="group" aria-label={t('font_size')}>
        <Button variant="icon" aria-label={t('font_smaller')} aria-disabled={size <= SIZES.min} onClick={() => setSize(Math.max(SIZES.min, size - 1))}>
          <Icon path="M3 19l5.5-14L14 19M5 14.5h7M16 12h6" />
        </Button>
        <Button variant="icon" aria-label={t('font_larger')} aria-disabled={size >= SIZES.max} onClick={() => setSize(Math.min(SIZES.max, size + 1))}>
          <Icon path="M3 19l5.5-14L14 19M5 14.5h7M16 12h6M19 9v6" />
        </Button>
      </div>
      <Button variant="icon" aria-pressed={dark} aria-label={t('theme_dark')} onClick={turn}>
        <Icon path="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z" />
      </Button>
      {place && (
        <Button
          variant="quiet"
          className="toolbar-continue toolbar-keep"
          onClick={() => {
            const target = document.getElementById(place.id);
            if (target) goTo(target);
          }}
        >
          <span>{t('continue_at', { title: place.title })}</span>
        </Button>
      )}
      <span className="toolbar-space" />
      <Slot name="article.toolbar" />
      <Button variant="quiet" onClick={() => window.print()} aria-label={t('print')}>
        <Icon path="M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z" />
        <span>{t('print')}</span>
      </Button>
      {page.citation && (
        <>
          <Button ref={cite} variant="quiet" className="toolbar-keep" aria-haspopup="dialog" aria-expanded={citing} onClick={() => setCiting(!citing)}>
            <Icon path="M10 7H5v6h4c0 2-1 3.5-3 4.5M20 7h-5v6h4c0 2-1 3.5-3 4.5" />
            <span>{t('cite')}</span>
          </Button>
          <Popover open={citing} onOpenChange={setCiting} anchor={cite.current} label={t('cite_title')} align="end" className="cite-popover">
            <h2>{t('cite_title')}</h2>
            <blockquote>{page.citation}</blockquote>
            <Button variant="primary" onClick={() => copy(page.citation)}>
              <span aria-live="polite">{said || t('copy')}</span>
            </Button>
          </Popover>
        </>
      )}
    </div>
  );
}
