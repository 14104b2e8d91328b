import { Button, useBootstrap, useT } from '@masthead/ui-sdk';
import { call } from '@masthead/ui-sdk/shell';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { callerOf } from '../calls/api.ts';
import { targetOf } from '../browser/scroll.ts';
import { citationsOf, type StyledCitation } from './citations.ts';
import { all, first, selectorOf, shownAt, valueOf } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { langOf } from './language.ts';
import { cloneContent, type Place, textOf, useCopy, useInserted, useMedia, whenMoved } from './tools.ts';

const INSIDE: Place = (details, host) => details.append(host);
/** The window is wide enough for the column beside the text. */
const WIDE = '(min-width: 1280px)';
/** Notes that are shown at once. */
const MOST_NOTES = 4;

/** The number of elements, in the order of the page, that begin above a line. */
export function countAbove(elements: readonly Element[], line: number): number {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((elements[middle]?.getBoundingClientRect().top ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function CopyCitation({ citation }: { citation: StyledCitation }) {
  const t = useT();
  const { said, copy } = useCopy();
  return (
    <Button variant="quiet" onClick={() => copy(citation.text)} aria-label={said || `${t('copy')}: ${citation.name}`}>
      <span aria-live="polite">{said || t('copy')}</span>
    </Button>
  );
}

/** A button in each citation of the column that copies it. */
function CopyCitations({ article }: ReaderProps) {
  const citations = useMemo(() => citationsOf(article), [article]);
  const elements = useMemo(() => citations.map((citation) => citation.element), [citations]);
  const hosts = useInserted(elements, 'cite-copy', INSIDE);
  return citations.map((citation) => {
    const host = hosts.get(citation.element);
    return host && createPortal(<CopyCitation citation={citation} />, host, citation.id);
  });
}

/**
 * Brings the numbers of views and downloads up to date: those of the host are of the time when the page was made. Not by the API of
 * modules, which opens the sign-in page for an ended session: nobody who reads is sent away for a number.
 */
function Metrics({ article, page }: ReaderProps) {
  const bootstrap = useBootstrap();
  const t = useT();
  const asker = useRef(callerOf(bootstrap));
  const latest = useRef({ t });
  latest.current = { t };
  useEffect(() => {
    const shown = all(article, 'metric');
    if (!shown.length) return;
    const control = new AbortController();
    const update = async () => {
      const options = { query: { id: page.id, months: 1 }, signal: control.signal };
      const data = await call<Record<string, unknown>>(asker.current, 'GET', '/rc-pub/front/front-article/getStatistics', options);
      for (const element of shown) {
        const number = data[valueOf(element, 'metric')];
        // The same text as the host's: a number that has not changed does not move.
        if (typeof number === 'number') element.textContent = latest.current.t('metric', { n: number });
      }
    };
    // On failure the host's numbers stay.
    update().catch(() => undefined);
    return () => control.abort();
  }, [article, page.id]);
  return null;
}

interface Seen {
  figure: HTMLElement | undefined;
  notes: HTMLElement[];
}

/** The figure of the section that is read, unless the window shows it already, and the footnotes of the text in the window. */
export function whatIsRead(article: HTMLElement): () => Seen {
  const text = selectorOf('section', 'body');
  const sections = [...article.querySelectorAll<HTMLElement>(`${text}, ${text} section`)];
  const markers = [...article.querySelectorAll<HTMLAnchorElement>(`${selectorOf('body')} ${selectorOf('xref', 'fn')}`)];
  const figures = new Map<HTMLElement, HTMLElement[]>();
  const figuresOf = (section: HTMLElement) => {
    const known = figures.get(section);
    if (known) return known;
    const cited = [...section.querySelectorAll<HTMLAnchorElement>(selectorOf('xref', 'fig'))].map((link) => targetOf(link.hash));
    const found = [...all(section, 'figure'), ...cited].filter((each) => each?.querySelector('img'));
    const unique = [...new Set(found)] as HTMLElement[];
    figures.set(section, unique);
    return unique;
  };
  return () => {
    const section = sections[countAbove(sections, innerHeight * 0.4) - 1];
    const hidden = (figure: HTMLElement) => {
      const { top, bottom } = figure.getBoundingClientRect();
      return bottom < 0 || top > innerHeight;
    };
    const own = section ? figuresOf(section) : [];
    const notes = new Set<HTMLElement>();
    for (let at = countAbove(markers, 0); at < markers.length && notes.size < MOST_NOTES; at += 1) {
      const marker = markers[at];
      if (!marker || marker.getBoundingClientRect().top > innerHeight) break;
      const note = targetOf(marker.hash);
      if (note) notes.add(note);
    }
    return { figure: own.every(hidden) ? own[0] : undefined, notes: [...notes] };
  };
}

/** What is printed of a figure, in the language of the article; of one without words its `name`, in that of the page. */
export function Caption({ figure, name }: { figure: HTMLElement; name: string }) {
  const printed = textOf(first(figure, 'captionTitle')) || textOf(first(figure, 'label'));
  return <p>{printed ? <bdi lang={langOf(figure)}>{printed}</bdi> : name}</p>;
}

function Note({ note }: { note: HTMLElement }) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    item.current?.replaceChildren(...cloneContent(note).childNodes);
  }, [note]);
  return <li ref={item} className={note.className} lang={langOf(note)} />;
}

/** What belongs to the text that is read, in the column beside it. */
function Following({ article }: ReaderProps) {
  const t = useT();
  const aside = first(article, 'aside');
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [{ figure, notes }, setSeen] = useState<Seen>({ figure: undefined, notes: [] });
  useEffect(() => {
    if (!aside) return;
    const element = document.createElement('div');
    element.className = 'aside-following';
    aside.append(element);
    setHost(element);
    return () => element.remove();
  }, [aside]);
  useEffect(() => {
    const seen = whatIsRead(article);
    const look = () => {
      const next = seen();
      setSeen((now) =>
        now.figure === next.figure && now.notes.length === next.notes.length && now.notes.every((note, at) => note === next.notes[at]) ? now : next,
      );
    };
    return whenMoved(look);
  }, [article]);
  const image = figure?.querySelector('img');
  const name = textOf(figure && first(figure, 'label')) || t('figure');
  if (!host) return null;
  return createPortal(
    <>
      {figure && image && (
        <section aria-label={t('here_figure')}>
          <button
            type="button"
            className="following-figure"
            aria-label={t('enlarge', { name })}
            onClick={() => figure.querySelector<HTMLButtonElement>('.fig-open')?.click()}
          >
            <img src={valueOf(image, 'small') || shownAt(image)} alt="" />
          </button>
          <Caption figure={figure} name={name} />
        </section>
      )}
      {notes.length > 0 && (
        <section aria-label={t('here_notes')}>
          <ul className="following-notes">
            {notes.map((note) => (
              <Note key={note.id} note={note} />
            ))}
          </ul>
        </section>
      )}
    </>,
    host,
  );
}

/** What scripts add to the column beside the article. */
export default function Beside(props: ReaderProps) {
  const wide = useMedia(WIDE);
  return (
    <>
      <CopyCitations {...props} />
      <Metrics {...props} />
      {wide && <Following {...props} />}
    </>
  );
}
