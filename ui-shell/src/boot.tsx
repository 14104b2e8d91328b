import { CONTRACT, type Bootstrap, type PagePayload } from '@masthead/ui-sdk';
import { startTransition } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { App, type Frame } from './App.tsx';
import { setCookie, trusted } from './browser/environment.ts';
import { entryKey } from './browser/history.ts';
import { ensureLanguage, showLanguage } from './i18n/i18n.ts';
import { savedScroll, targetOf } from './browser/scroll.ts';
import { ModuleBoundary } from './slots/ModuleBoundary.tsx';
import { copyOf, Shown, type Place } from './slots/FrameSlot.tsx';
import { loadAll } from './slots/ModuleStore.ts';

/** Time in ms for preloaded modules to be ready before the shell takes over the document without them. */
const WAIT_MS = 150;

/** The parts of the host's document, found by kind and place: whatever ids the content of the page has, it lies inside `<main>`. */
const BOOTSTRAP = 'body > script#bootstrap[type="application/json"]';
const APP = 'body > div#app';
const MAIN = ':scope > main#main';

export function readBootstrap(): Bootstrap | undefined {
  const text = document.querySelector(BOOTSTRAP)?.textContent;
  if (!text) return undefined;
  const bootstrap = JSON.parse(text) as Bootstrap;
  return bootstrap.contract === CONTRACT ? bootstrap : undefined;
}

/**
 * Resolves when the document has been parsed to its end. Scripts are requested at the first paint: the rest of a long article, and the bootstrap
 * behind it, may still be on the way then.
 */
async function documentIsWhole(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

/** Takes over the server's document. Without a bootstrap of this contract version it leaves the document unchanged and returns undefined. */
export async function boot(): Promise<Root | undefined> {
  await documentIsWhole();
  const app = document.querySelector<HTMLElement>(APP);
  const main = app?.querySelector<HTMLElement>(MAIN);
  const bootstrap = readBootstrap();
  if (!app || !main || !bootstrap) return undefined;

  const html = main.innerHTML;
  await Promise.all([ensureLanguage(bootstrap.lang), loadAll(bootstrap, WAIT_MS)]);
  showLanguage(bootstrap.lang);

  const sent = [...app.childNodes];
  const place = (name: string, before: Node | null): Place => {
    const found = app.querySelector<HTMLElement>(`:scope > [data-slot="${name}"]`) ?? undefined;
    if (found?.dataset['rendered'] !== undefined) return { container: found, sent: found, html: found.innerHTML };
    const container = document.createElement('div');
    container.className = 'slot';
    app.insertBefore(container, found ?? before);
    return { container, sent: found, html: undefined };
  };
  const frame: Frame = { header: place('header', main), search: place('search', main), footer: place('footer', null), main, html };
  const places = [frame.header, frame.search, frame.footer];
  const first: PagePayload = {
    title: document.title,
    tag: document.documentElement.lang,
    dir: document.documentElement.dir,
    status: 200,
    html,
    bootstrap,
  };
  setCookie('language', bootstrap.lang);
  history.scrollRestoration = 'manual';

  // React renders into an element beside the host's, which stay where they are.
  const root = document.createElement('div');
  root.className = 'slot';
  app.append(root);
  let failed = false;
  /** Where the reader is before React changes the document. */
  let at = scrollY;
  const follow = () => {
    at = scrollY;
  };
  addEventListener('scroll', follow, { passive: true });
  /** Puts the host's page back, as it was sent; its links and forms are the browser's again. */
  const giveBack = (error: unknown) => {
    console.error(error);
    if (failed) return;
    failed = true;
    removeEventListener('scroll', follow);
    const y = scrollY;
    if (main.innerHTML !== frame.html) main.innerHTML = trusted(frame.html);
    // A slot that React has taken over is React's: a copy takes its place.
    const copies = new Map<Node, Node>(places.flatMap((own) => (own.html === undefined ? [] : [[own.container, copyOf(own)]])));
    app.replaceChildren(...sent.map((node) => copies.get(node) ?? node));
    history.scrollRestoration = 'auto';
    scrollTo({ top: y, behavior: 'instant' });
  };
  const settle = () => {
    if (failed) return;
    removeEventListener('scroll', follow);
    // The host's markup of slots whose modules were ready; that of the others has moved.
    for (const { sent: node, html: own } of places) if (own === undefined && node?.parentNode === app) node.remove();
    const kept = performance.getEntriesByType?.('navigation')[0] as PerformanceNavigationTiming | undefined;
    const saved = kept && kept.type !== 'navigate' ? savedScroll(entryKey()) : undefined;
    if (saved !== undefined) scrollTo({ top: saved, behavior: 'instant' });
    else if (scrollY !== at) scrollTo({ top: at, behavior: 'instant' });
    else if (at === 0) targetOf(location.hash)?.scrollIntoView();
  };
  // What is shown at once in the first render is rendered before the browser paints, and before a microtask.
  const onShown = () => queueMicrotask(settle);
  const react = createRoot(root, { onUncaughtError: giveBack });
  // A transition is rendered in slices of some milliseconds: the host's page answers to the reader meanwhile.
  startTransition(() =>
    react.render(
      <ModuleBoundary fallback={null} onError={giveBack}>
        <Shown onShown={onShown}>
          <App frame={frame} first={first} />
        </Shown>
      </ModuleBoundary>,
    ),
  );
  return react;
}
