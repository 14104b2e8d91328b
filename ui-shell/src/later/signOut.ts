import { useShell, useT, type Bootstrap } from '@masthead/ui-sdk';
import { call, isPlainClick } from '@masthead/ui-sdk/shell';
import { useEffect, useRef } from 'react';
import { callerOf, isSignedOut, textOf } from '../calls/api.ts';
import { documents } from '../browser/documents.ts';
import { sayNext } from '../browser/said.ts';
import { signInAddress } from '../browser/signInAddress.ts';
import { forgetDrafts, forgetReader, signIn } from '../members/signIn.ts';

/** The windows of one site tell each other here that the reader has signed out. */
const CHANNEL = 'masthead.session';

interface Left {
  /** The site: several may share a host. */
  site: number;
  /** What the host has said, in the reader's language. */
  message: string;
}

/** One for the window: what it sends reaches all others, and not itself. Not in all browsers, and not in sandboxed frames. */
function channel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return undefined;
  }
}

/**
 * Signs out: the host ends the session and says so, then the sign-in opens with the way back. If the host does not answer, the reader is still signed
 * in, and is told. Whoever is signed out already is led to the sign-in as after any answer 401.
 */
async function signOut(bootstrap: Bootstrap, others: BroadcastChannel | undefined, tell: (error: unknown) => void): Promise<void> {
  let said = '';
  try {
    await call(callerOf(bootstrap), 'DELETE', '/rc-pub/api/logout', { onMessage: (message) => (said = message) });
  } catch (error) {
    if (!isSignedOut(error) || signIn(bootstrap)) tell(error);
    return;
  }
  forgetReader(bootstrap.base);
  forgetDrafts();
  others?.postMessage({ site: bootstrap.site.id, message: said } satisfies Left);
  sayNext(said, 'done');
  documents.assign(signInAddress(bootstrap));
}

/** Links that sign out do it in place, with the host's message; and a window learns that the reader has signed out in another one. */
export function useSignOut(): void {
  const t = useT();
  const shell = useShell();
  // The channel outlasts navigations: what is sent on one that is closed throws, and the host may answer on the next page only.
  const latest = useRef({ t, shell });
  latest.current = { t, shell };
  useEffect(() => {
    const others = channel();
    const tell = (error: unknown) => latest.current.shell.notify(textOf(error, latest.current.t('error_text')), 'failed');
    const click = (event: MouseEvent) => {
      const { bootstrap, busy } = latest.current.shell;
      const { base, lang } = bootstrap;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (link?.pathname !== `${base}/${lang}/logout` || link.origin !== location.origin || !isPlainClick(event)) return;
      event.preventDefault();
      void busy(signOut(bootstrap, others, tell));
    };
    document.addEventListener('click', click, { capture: true });
    if (others)
      others.onmessage = ({ data }: MessageEvent<Left>) => {
        const { bootstrap, notify } = latest.current.shell;
        if (bootstrap.session.signedIn && data.site === bootstrap.site.id && signIn(bootstrap)) notify(data.message, 'plain');
      };
    return () => {
      document.removeEventListener('click', click, { capture: true });
      others?.close();
    };
  }, []);
}
