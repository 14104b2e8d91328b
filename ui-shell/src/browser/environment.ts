/** Values of the document that scripts need. */
export const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined;

export const reducedMotion = (): boolean => typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether to fetch ahead of need: not when the reader saves data or is on a very slow line. */
export function mayPrefetch(): boolean {
  const line = (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection;
  return !line?.saveData && !/2g$/.test(line?.effectiveType ?? '');
}

export function setCookie(name: string, value: string): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax`;
}

interface Policy {
  createHTML(html: string): string;
}
const policy = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes?.createPolicy('masthead', {
  createHTML: (html) => html,
});
/** HTML of the host, which sanitized it, for `innerHTML`. */
export const trusted = (html: string): string => policy?.createHTML(html) ?? html;

/** Moves a node of the server's document, keeping the focus inside it. (`moveBefore` would too, but Chromium 156 counts a layout shift for every scroll box that it moves.) */
export function adopt(parent: Element, node: Element): void {
  if (node.parentNode === parent) return;
  const active = document.activeElement;
  const held = active instanceof HTMLElement && node.contains(active) ? active : undefined;
  parent.append(node);
  held?.focus({ preventScroll: true });
}
