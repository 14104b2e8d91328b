import { Button, Link, Menu, Popover, useBootstrap, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { goTo, targetOf } from '../browser/scroll.ts';
import { Icon } from './Icon.tsx';
import { first } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { TextSize } from './TextSize.tsx';
import { langOfLine } from './language.ts';
import { type Place, useInserted, whenMoved } from './tools.ts';

/** Scrolled px after which the bar is shown. */
const FROM = 300;
const BEFORE: Place = (main, host) => main.before(host);
/** A title may be as long as its source: the bar shows what fits. */
const LONGEST = 200;

/** The part of an element that is above the lower edge of the window, from 0 to 1. */
function readOf(element: HTMLElement): number {
  const { top, height } = element.getBoundingClientRect();
  return height > innerHeight ? Math.min(1, Math.max(0, -top / (height - innerHeight))) : Number(top + height <= innerHeight);
}

function Languages() {
  const t = useT();
  const { lang, languages, header } = useBootstrap();
  const [other, ...more] = languages.filter((language) => language.code !== lang);
  if (!header.switchLanguage || !other) return null;
  if (!more.length)
    return (
      <Link className="mh-button mh-button-quiet" href={other.href} lang={other.tag} hrefLang={other.tag}>
        {other.name}
      </Link>
    );
  return (
    <Menu
      label={t('language')}
      className="mh-button mh-button-icon"
      items={languages.map(({ code, name, href, tag }) => ({ key: code, label: name, href, lang: tag, hrefLang: tag, current: code === lang }))}
    >
      <Icon path="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.8 12h16.4M12 3.5c-5 5-5 12 0 17M12 3.5c5 5 5 12 0 17" />
    </Menu>
  );
}

function Headings({ article, page, onGo }: Pick<ReaderProps, 'article' | 'page'> & { onGo(): void }) {
  const t = useT();
  const current = first(article, 'outline')?.querySelector<HTMLAnchorElement>('a[aria-current]')?.getAttribute('href');
  return (
    <nav aria-label={t('outline')}>
      <ol>
        {page.outline.map(({ id, level, title }) => (
          <li key={id} data-level={level}>
            <a
              href={`#${id}`}
              aria-current={current === `#${id}` ? 'location' : undefined}
              onClick={(event) => {
                const target = targetOf(`#${id}`);
                if (!target) return;
                event.preventDefault();
                onGo();
                // After the popover has returned the focus.
                requestAnimationFrame(() => goTo(target));
              }}
            >
              <bdi lang={langOfLine(id)}>{title}</bdi>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Bar({ article, page }: ReaderProps) {
  const t = useT();
  const bar = useRef<HTMLDivElement>(null);
  const progress = useRef<HTMLDivElement>(null);
  const outline = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState(false);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const body = first(article, 'body');
    const look = () => {
      // A bar that has the focus stays: the focus would be lost with it.
      setShown(scrollY > FROM || Boolean(bar.current?.contains(document.activeElement)));
      if (!body || !progress.current) return;
      // Not a state of the component: nothing is rendered while the reader scrolls.
      const percent = Math.round(readOf(body) * 100);
      progress.current.style.setProperty('--read', `${percent}%`);
      progress.current.setAttribute('aria-valuenow', String(percent));
    };
    return whenMoved(look);
  }, [article, shown]);
  useEffect(() => {
    // The style sheet keeps what gets the focus clear of the bar.
    document.documentElement.toggleAttribute('data-bar', shown);
    return () => document.documentElement.removeAttribute('data-bar');
  }, [shown]);
  if (!shown) return null;
  const heading = article.querySelector<HTMLElement>('h1');
  return (
    <div ref={bar} className="compact-bar" role="region" aria-label={t('tools')}>
      <p className="compact-title" lang={heading?.lang || undefined} dir="auto">
        {(heading?.textContent ?? page.title).slice(0, LONGEST)}
      </p>
      {page.outline.length > 0 && (
        <Button
          ref={outline}
          variant="icon"
          className="compact-outline"
          aria-label={t('outline')}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon path="M4 6h16M8 12h12M8 18h12" />
        </Button>
      )}
      <TextSize article={article} />
      <Languages />
      <div ref={progress} className="compact-progress" role="progressbar" aria-label={t('progress')} aria-valuemin={0} aria-valuemax={100} />
      <Popover open={open} onOpenChange={setOpen} anchor={outline.current} label={t('outline')} align="end" className="outline-popover">
        <Headings article={article} page={page} onGo={() => setOpen(false)} />
      </Popover>
    </div>
  );
}

/** A bar at the top of the window with what a reader needs in the middle of a long article. It stands before `<main>`, for the order of the focus. */
export default function CompactBar(props: ReaderProps) {
  const [mains] = useState([props.main]);
  const host = useInserted(mains, 'compact', BEFORE).get(props.main);
  return host ? createPortal(<Bar {...props} />, host) : null;
}
