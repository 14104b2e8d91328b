/** The CSP nonce of the document; undefined without one. */
export const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined;

export const reducedMotion = (): boolean => typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether to prefetch pages: not with data saving switched on or on a 2G connection. */
export function mayPrefetch(): boolean {
  const line = (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection;
  return !line?.saveData && !/2g$/.test(line?.effectiveType ?? '');
}

/** Runs `work` when the browser is idle, after 2 s at the latest. Returns what gives it up. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  const wait = window.requestIdleCallback?.(work, { timeout: 2000 });
  const timer = wait === undefined ? setTimeout(work, 800) : undefined;
  return () => (wait === undefined ? clearTimeout(timer) : window.cancelIdleCallback?.(wait));
}

/** Sets a cookie of this site for a year, where cookies are allowed: a sandboxed frame throws. */
export function setCookie(name: string, value: string): void {
  try {
    document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax`;
  } catch {
    // The choice lasts as long as the page.
  }
}

/** Removes a cookie, whether it was set for the whole host or for the site's prefix. */
export function clearCookie(name: string, base: string): void {
  try {
    for (const path of new Set(['/', `${base}/`])) document.cookie = `${name}=; path=${path}; max-age=0; samesite=lax`;
  } catch {
    // There are no cookies.
  }
}

interface Policy {
  createHTML(html: string): string;
}
const policy = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes?.createPolicy('masthead', {
  createHTML: (html) => html,
});
/** Wraps HTML from the host, which has sanitized it, for `innerHTML` under Trusted Types. */
export const trusted = (html: string): string => policy?.createHTML(html) ?? html;

/**
 * Moves a node of the server's document and keeps the focus inside it.
 * `moveBefore` keeps the focus too, but Chromium 156 counts a layout shift for every scroll box that it moves.
 */
export function adopt(parent: Element, node: Element): void {
  if (node.parentNode === parent) return;
  const active = document.activeElement;
  const held = active instanceof HTMLElement && node.contains(active) ? active : undefined;
  parent.append(node);
  held?.focus({ preventScroll: true });
}
