import { loadOverlays } from '@masthead/ui-sdk/shell';
import { boot } from './boot.tsx';
import { mayPrefetch, whenIdle } from './browser/environment.ts';
import { reloadOnce } from './browser/reload.ts';
import { classifyScreen } from './browser/screen.ts';
import './styles/index.css';

// A chunk of a release that is no longer served: reload, to get the document of the new release. What needs the chunk goes without it.
addEventListener('vite:preloadError', () => void reloadOnce());

// A shell that cannot start leaves the host's document as it is.
// Nothing is awaited here: lazy parts import the chunk of this file, and would wait for each other.
void boot()
  .catch(console.error)
  .then(() => {
    if (mayPrefetch()) whenIdle(() => void loadOverlays().catch(() => undefined));
  });
// The class is for style sheets of sites and modules. There is no rule of the shell for it, which would change the page after it was shown.
whenIdle(() => classifyScreen());
