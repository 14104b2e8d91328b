import { useT } from '@masthead/ui-sdk';
import { isPlainClick } from '@masthead/ui-sdk/shell';
import { useEffect, useRef } from 'react';
import { targetsOf } from './links.ts';
import { around, first, isPart, selectorOf, valueOf } from './parts.ts';
import { textOf } from './tools.ts';

/** References that get their list at once; the others follow in parts, so that a long list does not stop the page. */
const AT_ONCE = 200;
const DASH = /^\s*[-\u2010-\u2015−~～〜至]\s*$/;
/** Places in one list. */
const MOST = 50;

const isInTranslation = (link: Element) => link.closest(selectorOf('section', 'sub-article')) !== null;

/**
 * The citations of each reference. The two links of a range, which name the same references, are one citation. A translation of the text cites
 * again what the text cites, and does not count.
 */
function citationsOf(article: HTMLElement): Map<HTMLElement, HTMLAnchorElement[]> {
  const places = new Map<HTMLElement, HTMLAnchorElement[]>();
  let before: HTMLAnchorElement | undefined;
  for (const link of article.querySelectorAll<HTMLAnchorElement>(`${selectorOf('body')} ${selectorOf('xref', 'bibr')}`)) {
    const rids = valueOf(link, 'rids');
    const closes =
      rids !== '' && before && rids === valueOf(before, 'rids') && before.nextSibling?.nextSibling === link && DASH.test(before.nextSibling.textContent ?? '');
    before = link;
    if (closes || isInTranslation(link)) continue;
    for (const target of targetsOf(link)) {
      const found = places.get(target);
      if (found) found.push(link);
      else places.set(target, [link]);
    }
  }
  return places;
}

/**
 * Id and heading of the part of the article that contains a citation: a figure or table with a label, else the nearest section with a
 * heading, else, without heading, the nearest element with an id.
 */
function partOf(link: Element): { id: string; title: string } {
  const float = around(link, 'figure', 'table');
  const label = textOf(float && first(float, 'label'));
  if (float && label) return { id: float.id, title: label };
  for (let section = link.closest('section'); section; section = section.parentElement?.closest('section') ?? null) {
    const title = textOf(section.querySelector(':scope > :is(h2, h3, h4, h5, h6)'));
    if (title) return { id: section.id, title };
  }
  return { id: link.closest('[id]')?.id ?? '', title: '' };
}

/** The list of a reference; `leads` gets the citation that each of its links leads to. */
function listOf(places: readonly HTMLAnchorElement[], heading: string, leads: Map<Element, HTMLElement>): HTMLElement {
  const host = document.createElement('div');
  host.className = 'ref-cited';
  const said = document.createElement('span');
  said.textContent = heading;
  const list = document.createElement('ul');
  const times = new Map<string, number>();
  for (const place of places.slice(0, MOST)) {
    const { id, title } = partOf(place);
    const time = (times.get(title) ?? 0) + 1;
    times.set(title, time);
    const link = document.createElement('a');
    // The address is that of the part, for another tab; a click goes to the citation itself.
    link.href = `#${id}`;
    link.textContent = time === 1 && title ? title : String(time);
    if (time > 1 && title) link.setAttribute('aria-label', `${title} ${time}`);
    leads.set(link, place);
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
  }
  host.append(said, list);
  return host;
}

/** Adds to every reference how often and where the article cites it. `onGo` gets the citation to go to and the reference to return to. */
export default function CitedIn({ article, onGo }: { article: HTMLElement; onGo(place: HTMLElement, reference: HTMLElement): void }) {
  const t = useT();
  const latest = useRef({ t, onGo });
  latest.current = { t, onGo };
  useEffect(() => {
    const waiting = [...citationsOf(article)].filter(([reference]) => isPart(reference, 'reference'));
    const made: HTMLElement[] = [];
    const leads = new Map<Element, HTMLElement>();
    let timer = 0;
    const add = () => {
      for (const [reference, places] of waiting.splice(0, AT_ONCE)) {
        const list = listOf(places, latest.current.t('cited_in', { n: places.length }), leads);
        reference.append(list);
        made.push(list);
      }
      if (waiting.length) timer = window.setTimeout(add, 50);
    };
    add();
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const place = link && leads.get(link);
      const reference = link && around(link, 'reference');
      if (!place || !reference || !isPlainClick(event)) return;
      event.preventDefault();
      latest.current.onGo(place, reference);
    };
    article.addEventListener('click', click);
    return () => {
      clearTimeout(timer);
      article.removeEventListener('click', click);
      for (const list of made) list.remove();
    };
  }, [article]);
  return null;
}
