import { CONTRACT, type Bootstrap, type PagePayload } from '@masthead/ui-sdk';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { App, createClient, type Frame } from './App.tsx';
import { setCookie } from './browser/environment.ts';
import { ensureLanguage } from './i18n/catalogues.ts';
import { savedScroll, targetOf } from './browser/scroll.ts';
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

/** Takes over the server's document. Without a bootstrap of this contract version it leaves the document unchanged and returns undefined. */
export async function boot(): Promise<Root | undefined> {
  const app = document.querySelector<HTMLElement>(APP);
  const main = app?.querySelector<HTMLElement>(MAIN);
  const bootstrap = readBootstrap();
  if (!app || !main || !bootstrap) return undefined;

  const html = main.innerHTML;
  await Promise.all([ensureLanguage(bootstrap.lang), loadAll(bootstrap, WAIT_MS)]);

  const slot = (name: string) => app.querySelector(`:scope > [data-slot="${name}"]`) ?? undefined;
  const frame: Frame = { header: slot('header'), search: slot('search'), footer: slot('footer'), main };
  const first: PagePayload = {
    title: document.title,
    tag: document.documentElement.lang,
    dir: document.documentElement.dir,
    status: 200,
    html,
    bootstrap,
  };
  const path = location.pathname.slice(bootstrap.base.length) + location.search || '/';
  setCookie('language', bootstrap.lang);
  history.scrollRestoration = 'manual';

  // React renders into a new element beside the old one, and the server's nodes move there: in one task, so that nothing is painted in between.
  const root = document.createElement('div');
  root.id = 'app';
  app.removeAttribute('id');
  app.before(root);
  const at = scrollY;
  const react = createRoot(root);
  flushSync(() => react.render(<App frame={frame} first={first} client={createClient(first, path)} />));
  app.remove();

  const key = (history.state as { key?: string } | null)?.key ?? 'default';
  const kept = performance.getEntriesByType?.('navigation')[0] as PerformanceNavigationTiming | undefined;
  const saved = kept && kept.type !== 'navigate' ? savedScroll(key) : undefined;
  if (saved !== undefined) scrollTo({ top: saved, behavior: 'instant' });
  else if (scrollY !== at) scrollTo({ top: at, behavior: 'instant' });
  else if (at === 0) targetOf(location.hash)?.scrollIntoView();
  return react;
}
