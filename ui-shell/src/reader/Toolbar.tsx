import { Button, Popover, Slot, useBootstrap, useT, useTheme } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';
import { goTo } from '../browser/scroll.ts';
import { read, write } from '../browser/storage.ts';
import { ModuleBoundary } from '../slots/ModuleBoundary.tsx';
import { Cite } from './Cite.tsx';
import { Icon } from './Icon.tsx';
import { first } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { TextSize } from './TextSize.tsx';

/** Stands in a message where an element follows. */
const OBJECT = '\uFFFC';
const PLACES = 'masthead.places';

/** The section in which the reader left this article before, null if it was the first; stores the present one. */
function usePlace({ article, page }: ReaderProps): { id: string; title: string } | null {
  const [place, setPlace] = useState<{ id: string; title: string } | null>(null);
  const { site } = useBootstrap();
  useEffect(() => {
    // The sites of one host share its storage.
    const key = `${site.id}/${page.id}`;
    const before = read<Record<string, string>>('local', PLACES, {})[key];
    const target = before ? document.getElementById(before) : null;
    const title = page.outline.find((line) => line.id === before)?.title;
    if (before && target && title && scrollY < 200 && !location.hash) setPlace({ id: before, title });
    let timer = 0;
    const keep = () => {
      if (scrollY > 400) setPlace(null);
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        const at = first(article, 'outline')?.querySelector<HTMLAnchorElement>('a[aria-current]')?.hash.slice(1);
        const { [key]: _, ...others } = read<Record<string, string>>('local', PLACES, {});
        const kept = Object.entries(others).slice(-99);
        const top = page.outline[0]?.id;
        write('local', PLACES, Object.fromEntries(at && at !== top ? [...kept, [key, decodeURIComponent(at)]] : kept));
      }, 800);
    };
    addEventListener('scroll', keep, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', keep);
    };
  }, [article, page, site.id]);
  return place;
}

function CiteButton({ article, page }: Pick<ReaderProps, 'article' | 'page'>) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={button} variant="quiet" className="toolbar-keep" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon path="M10 7H5v6h4c0 2-1 3.5-3 4.5M20 7h-5v6h4c0 2-1 3.5-3 4.5" />
        <span>{t('cite')}</span>
      </Button>
      <Popover open={open} onOpenChange={setOpen} anchor={button.current} label={t('cite_title')} align="end" className="cite-popover">
        <h2>{t('cite_title')}</h2>
        <Cite article={article} page={page} />
      </Popover>
    </>
  );
}

/** The toolbar of an article: text size, dark mode, citation, print. */
export function Toolbar(props: ReaderProps) {
  const { article, page } = props;
  const t = useT();
  const { dark, choose } = useTheme();
  const place = usePlace(props);
  const [before, after] = t('continue_at', { title: OBJECT }).split(OBJECT);
  return (
    <div className="toolbar" role="toolbar" aria-label={t('tools')}>
      <TextSize article={article} />
      <Button variant="icon" aria-pressed={dark} aria-label={t('theme_dark')} onClick={() => choose(dark ? 'light' : 'dark')}>
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
          <span>
            {before}
            <bdi lang={document.getElementById(place.id)?.closest<HTMLElement>('[lang]')?.lang}>{place.title}</bdi>
            {after}
          </span>
        </Button>
      )}
      <span className="toolbar-space" />
      <Slot name="article.toolbar" />
      <Button variant="quiet" onClick={() => window.print()} aria-label={t('print')}>
        <Icon path="M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z" />
        <span>{t('print')}</span>
      </Button>
      <ModuleBoundary fallback={null} onError={console.warn}>
        {page.citation && <CiteButton article={article} page={page} />}
      </ModuleBoundary>
    </div>
  );
}
