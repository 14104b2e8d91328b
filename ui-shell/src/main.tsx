import { loadOverlays } from '@masthead/ui-sdk/shell';
import { boot } from './boot.tsx';
import { mayPrefetch } from './browser/environment.ts';
import './styles/index.css';

// A chunk of a release that is no longer served: reload, to get the document of the new release; at most once a minute.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('masthead.reload') ?? 0);
  if (Date.now() - last < 60_000) return;
  event.preventDefault();
  sessionStorage.setItem('masthead.reload', String(Date.now()));
  location.reload();
});

await boot();

const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 800));
if (mayPrefetch()) idle(() => void loadOverlays().catch(() => undefined), { timeout: 2000 });
