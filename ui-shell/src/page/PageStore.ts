import type { PagePayload } from '@masthead/ui-sdk';
import { useEffect, useSyncExternalStore } from 'react';
import { KEEP_MS, type Answer } from '../calls/api.ts';

export type PageState = { status: 'loading' } | { status: 'ready'; answer: Answer } | { status: 'failed'; error: unknown };

/** How pages are had. */
export interface PageSource {
  load(path: string, signal: AbortSignal, ahead: boolean): Promise<Answer>;
  /** Whether a page that was fetched ahead may be kept until it is opened. */
  mayKeep(answer: Answer): boolean;
  /** Whether a page that could not be had is asked for once more; an answer of the host that says why is final. */
  mayRetry(error: unknown): boolean;
}

/** Time in ms after which a page is asked for once more. */
export const RETRY_MS = 300;

const LOADING: PageState = { status: 'loading' };

interface Kept {
  state: PageState;
  /** How many components show it, or wait for it. */
  views: number;
  /** When it was fetched ahead or shown last. */
  at: number;
  request: AbortController;
  /** Ends with the request, however that ends. */
  done: Promise<void>;
}

/** The pages that were fetched, by path. */
export class PageStore {
  readonly #source: PageSource;
  readonly #pages = new Map<string, Kept>();
  readonly #listeners = new Set<() => void>();

  /** `first` is the page of the document. */
  constructor(source: PageSource, path: string, first: PagePayload) {
    this.#source = source;
    const state: PageState = { status: 'ready', answer: first };
    this.#pages.set(path, { state, views: 0, at: Date.now(), request: new AbortController(), done: Promise.resolve() });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  stateOf = (path: string): PageState => this.#pages.get(path)?.state ?? LOADING;

  /** Keeps a page, which is fetched if need be, until the returned function is called. */
  open(path: string): () => void {
    const page = this.#page(path);
    let left = false;
    page.views += 1;
    return () => {
      if (left) return;
      left = true;
      page.views -= 1;
      page.at = Date.now();
      if (!page.views && page.state.status !== 'ready') this.#drop(path, page);
    };
  }

  /** The page, which is fetched if need be, again if it failed. Rejects with the reason why it cannot be had, or was given up by `signal`. */
  async fetch(path: string, signal: AbortSignal): Promise<Answer> {
    const page = this.#page(path);
    if (page.state.status === 'failed') {
      this.#set(page, LOADING);
      page.done = this.#fetch(path, page);
    }
    const leave = this.open(path);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await page.done;
      signal.throwIfAborted();
      if (page.state.status === 'ready') return page.state.answer;
      throw page.state.status === 'failed' ? page.state.error : page.request.signal.reason;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  /** Fetches a page that will probably be shown, and resolves to whether it is kept. */
  async prefetch(path: string): Promise<boolean> {
    const page = this.#page(path, true);
    await page.done;
    return this.#pages.get(path) === page;
  }

  #page(path: string, ahead = false): Kept {
    const now = Date.now();
    for (const [other, page] of this.#pages) if (!page.views && now - page.at > KEEP_MS) this.#drop(other, page);
    let page = this.#pages.get(path);
    if (!page) {
      page = { state: LOADING, views: 0, at: now, request: new AbortController(), done: Promise.resolve() };
      this.#pages.set(path, page);
      page.done = this.#fetch(path, page, ahead);
    }
    return page;
  }

  async #fetch(path: string, page: Kept, ahead = false, last = false): Promise<void> {
    const { signal } = page.request;
    try {
      const answer = await this.#source.load(path, signal, ahead);
      if (signal.aborted) return;
      if (ahead && !page.views && !this.#source.mayKeep(answer)) return this.#drop(path, page);
      this.#set(page, { status: 'ready', answer });
    } catch (error) {
      if (signal.aborted) return;
      // Nobody waits for it: it is fetched when it is opened.
      if (!page.views) return this.#drop(path, page);
      if (last || !this.#source.mayRetry(error)) return this.#set(page, { status: 'failed', error });
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (!signal.aborted) await this.#fetch(path, page, ahead, true);
    }
  }

  #drop(path: string, page: Kept): void {
    page.request.abort();
    if (this.#pages.get(path) === page) this.#pages.delete(path);
  }

  #set(page: Kept, state: PageState): void {
    page.state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The page at a path, which is fetched if need be. */
export function usePage(store: PageStore, path: string): PageState {
  useEffect(() => store.open(path), [store, path]);
  return useSyncExternalStore(store.subscribe, () => store.stateOf(path));
}
