import { reducedMotion } from '../browser/environment.ts';

/** Time in ms of the way to the top. */
const WAY_MS = 500;
const OWN = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Scrolls to the top, one step in each frame (16.7 ms at 60 Hz), unless the reader scrolls in between. At once where motion is to be reduced. */
export function toTop(): void {
  const to = (top: number) => scrollTo({ top, behavior: 'instant' });
  if (reducedMotion()) return to(0);
  const from = scrollY;
  const control = new AbortController();
  for (const name of OWN) addEventListener(name, () => control.abort(), { passive: true, signal: control.signal });
  let begin: number | undefined;
  const step = (now: number) => {
    if (control.signal.aborted) return;
    begin ??= now;
    const done = Math.min(1, (now - begin) / WAY_MS);
    to(Math.round(from * (1 - done) ** 3));
    if (done < 1) requestAnimationFrame(step);
    else control.abort();
  };
  requestAnimationFrame(step);
}
