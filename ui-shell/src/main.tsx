import { loadOverlays } from '@masthead/ui-sdk/shell';
import { boot } from './boot.tsx';
import { mayPrefetch } from './browser/environment.ts';
import { reloadOnce } from './browser/reload.ts';
import './styles/index.css';

// A chunk of a release that is no longer served: reload, to get the document of the new release. What needs the chunk goes without it.
addEventListener('vite:preloadError', () => void reloadOnce());

// A shell that cannot start leaves the host's document as it is.
await boot().catch(console.error);

const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 800));
if (mayPrefetch()) idle(() => void loadOverlays().catch(() => undefined), { timeout: 2000 });
// The rules for a class change colours only, so that nothing moves when it comes late.
const classify = async () => (await import('./browser/screen.ts')).classifyScreen();
idle(() => void classify().catch(() => undefined));
