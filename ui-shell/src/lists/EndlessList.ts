import type { PagePayload } from '@masthead/ui-sdk';
import { isPlainClick } from '@masthead/ui-sdk/shell';
import { mayPrefetch } from '../browser/environment.ts';
import { entryKey } from '../browser/history.ts';
import { focusOn } from '../browser/scroll.ts';
import { signInAddress } from '../browser/signInAddress.ts';
import { fetchPart, keepPart, keptPart, linkIn, listIn, navIn, partIn, type ListPart } from './listPart.ts';
import { itemInView, nameAddress, scrollToItem, storedPlace, storePlace, type ListPlace } from './listPlace.ts';

/** Pages that are added without a click, one after another: the footer stays in reach. */
export const MOST_BY_ITSELF = 4;
/** Pages before the one of the address that Back fetches again. */
const MOST_BEFORE = 20;
const NEAR = '600px 0px';
/** Bars in place of the items that are on their way. */
const BARS = 3;

/** What the list shows and says beside its items. */
export interface Surroundings {
  text(key: 'loading' | 'retry' | 'list_added' | 'list_failed' | 'session_ended' | 'sign_in_again', values?: Record<string, string | number>): string;
  /** Says something in a live region. */
  say(text: string): void;
  /** Called when items were added. */
  onItems(): void;
  /** Handles a failure that ends the session: tells it, and leads to the sign-in. Returns whether it was one. */
  onFailure(error: unknown): boolean;
}

/** The list of a page to which the pages after it are added: when the end comes near the window, and when the link there is clicked. */
export class EndlessList {
  readonly #list: Element;
  readonly #nav: HTMLElement;
  readonly #payload: PagePayload;
  readonly #around: Surroundings;
  readonly #key = entryKey();
  readonly #ended = new AbortController();
  readonly #observer: IntersectionObserver | undefined;
  readonly #label: string;
  #first: number;
  #last: number;
  #byItself = 0;
  #busy = false;
  #restoring = false;
  #failed = false;
  /** The link to the next page, which an ended session has refused and which is not in the list until the reader comes back. */
  #refused: HTMLAnchorElement | undefined;
  #timer = 0;

  /** Takes over the list in `main`; undefined without one that has further pages. */
  static in(main: HTMLElement, payload: PagePayload, around: Surroundings): EndlessList | undefined {
    const [list, nav, part] = [listIn(main), navIn(main), partIn(main)];
    return list && nav && part ? new EndlessList(list, nav, part, payload, around) : undefined;
  }

  private constructor(list: Element, nav: HTMLElement, part: ListPart, payload: PagePayload, around: Surroundings) {
    this.#list = list;
    this.#nav = nav;
    this.#payload = payload;
    this.#around = around;
    this.#first = part.page;
    this.#last = part.page;
    this.#label = linkIn(nav, 'next')?.textContent ?? '';
    keepPart(location.href, payload.html);
    const { signal } = this.#ended;
    nav.addEventListener('click', (event) => this.#click(event), { signal });
    addEventListener('scroll', () => this.#saveSoon(), { signal, passive: true });
    addEventListener('pagehide', () => this.#save(), { signal });
    addEventListener('online', () => void (this.#failed && this.#add()), { signal });
    // Back may show the document as it was left for the sign-in.
    addEventListener('pageshow', ({ persisted }) => persisted && this.#allow(), { signal });
    // Before the click leads to another page.
    document.addEventListener('click', () => this.#save(), { signal, capture: true });
    const place = storedPlace();
    if (place && place.first < part.page && place.last === part.page) this.#restore(place, part);
    if (typeof IntersectionObserver === 'function' && mayPrefetch()) {
      this.#observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && this.#near(), { rootMargin: NEAR });
      this.#observer.observe(nav);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#observer?.disconnect();
    this.#ended.abort();
  }

  /** The end of the list came near the window. */
  #near(): void {
    if (this.#busy || this.#failed || this.#byItself >= MOST_BY_ITSELF) return;
    this.#byItself += 1;
    void this.#add();
  }

  /** Asks the observer again, which tells of changes only: the end may still be near. */
  #lookAgain(): void {
    this.#observer?.unobserve(this.#nav);
    this.#observer?.observe(this.#nav);
  }

  #click(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a[rel="next"]') : null;
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#byItself = 0;
    void this.#add();
  }

  async #add(): Promise<void> {
    const link = linkIn(this.#nav, 'next');
    if (!link || this.#busy) return;
    this.#wait(link, true);
    try {
      const part = await fetchPart(this.#payload.bootstrap, link.getAttribute('href') ?? '', this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      this.#wait(link, false);
      this.#append(link, part);
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      console.warn(error);
      this.#wait(link, false);
      if (this.#around.onFailure(error)) return this.#refuse(link);
      this.#fail(link);
    }
    this.#lookAgain();
  }

  #wait(link: HTMLAnchorElement, on: boolean): void {
    this.#busy = on;
    for (const old of this.#nav.querySelectorAll('.more-failed, .more-waiting')) old.remove();
    if (!on) {
      this.#list.removeAttribute('aria-busy');
      return link.removeAttribute('aria-disabled');
    }
    this.#list.setAttribute('aria-busy', 'true');
    link.setAttribute('aria-disabled', 'true');
    this.#failed = false;
    const waiting = document.createElement('div');
    waiting.className = 'more-waiting';
    waiting.setAttribute('aria-hidden', 'true');
    for (let bars = 0; bars < BARS; bars += 1) waiting.append(document.createElement('i'));
    this.#nav.prepend(waiting);
    this.#around.say(this.#around.text('loading'));
  }

  #append(link: HTMLAnchorElement, part: ListPart): void {
    const address = link.getAttribute('href') ?? '';
    const focused = document.activeElement === link;
    this.#list.append(...part.items);
    this.#last = part.page;
    link.textContent = this.#label;
    this.#reached(part.reached);
    if (part.next === undefined) link.remove();
    else link.setAttribute('href', part.next);
    // The link had the focus and is gone: the reader goes on at the first of the new items.
    const first = part.items[0];
    if (focused && part.next === undefined && first) focusOn(first.querySelector<HTMLElement>('a[href]') ?? (first as HTMLElement));
    if (entryKey() === this.#key) nameAddress(address);
    this.#around.onItems();
    this.#around.say(`${this.#around.text('list_added', { n: part.items.length })} ${part.reached}`);
    this.#save();
  }

  #fail(link: HTMLAnchorElement): void {
    this.#failed = true;
    const message = document.createElement('p');
    message.className = 'more-failed';
    message.textContent = this.#around.text('list_failed');
    this.#nav.prepend(message);
    link.textContent = this.#around.text('retry');
    this.#around.say(message.textContent);
  }

  /** The session is over, so that another try would be refused, too: the sign-in, which leads back here, takes the place of the link. */
  #refuse(link: HTMLAnchorElement): void {
    const focused = document.activeElement === link;
    const signIn = document.createElement('a');
    signIn.href = signInAddress(this.#payload.bootstrap);
    // A new document, because what was fetched ahead was for a reader who was signed in.
    signIn.rel = 'external nofollow';
    signIn.textContent = this.#around.text('sign_in_again');
    const message = document.createElement('p');
    message.className = 'more-failed';
    message.append(`${this.#around.text('session_ended')} `, signIn);
    this.#nav.prepend(message);
    link.remove();
    this.#refused = link;
    if (focused) signIn.focus({ preventScroll: true });
    this.#around.say(this.#around.text('session_ended'));
  }

  /** The reader has come back, and may be signed in again. */
  #allow(): void {
    const link = this.#refused;
    if (!link) return;
    this.#refused = undefined;
    this.#nav.querySelector('.more-failed')?.remove();
    link.textContent = this.#label;
    this.#nav.append(link);
    this.#lookAgain();
  }

  #reached(text: string): void {
    const count = this.#nav.querySelector('.more-count');
    if (count) count.textContent = text;
  }

  /** Puts the pages before this one back that were shown in this entry of the history, at once if they are at hand. */
  #restore(place: ListPlace, part: ListPart): void {
    const first = Math.max(place.first, part.page - MOST_BEFORE);
    const address = (page: number) => addressOf(part, page);
    const pages = Array.from({ length: part.page - first }, (_, index) => address(first + index));
    const kept = pages.map((page) => keptPart(page));
    const insert = (parts: ListPart[]) => {
      this.#list.prepend(...parts.flatMap(({ items }) => items));
      this.#first = first;
      const previous = linkIn(this.#nav, 'prev');
      if (parts[0]?.previous === undefined) previous?.remove();
      else previous?.setAttribute('href', parts[0].previous);
      this.#around.onItems();
      // The item is counted from the first page that was shown; pages far before are not there again.
      const missing = (first - place.first) * (parts[0]?.items.length ?? 0);
      scrollToItem(this.#list, { item: Math.max(0, place.item - missing), top: place.top });
    };
    if (kept.every((one) => one !== undefined)) return insert(kept);
    const { signal } = this.#ended;
    this.#restoring = this.#busy = true;
    Promise.all(pages.map((page) => fetchPart(this.#payload.bootstrap, page, signal)))
      .then((parts) => signal.aborted || insert(parts))
      .catch((error: unknown) => signal.aborted || this.#around.onFailure(error) || console.warn(error))
      .finally(() => {
        this.#restoring = this.#busy = false;
        if (!signal.aborted) this.#lookAgain();
      });
  }

  #saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#save(), 150);
  }

  #save(): void {
    // While pages before this one are on their way, the place that was stored is the one to return to.
    if (this.#restoring) return;
    if (this.#ended.signal.aborted || entryKey() !== this.#key || !this.#list.isConnected) return;
    storePlace(this.#key, { first: this.#first, last: this.#last, ...itemInView(this.#list) });
  }
}

/** The address of a page of the list, made from that of a neighbour: the first page has no number. */
function addressOf(part: ListPart, page: number): string {
  const url = new URL(part.previous ?? part.next ?? location.href, location.href);
  url.searchParams.delete('page');
  if (page > 1) url.searchParams.set('page', String(page));
  return url.pathname + url.search;
}
