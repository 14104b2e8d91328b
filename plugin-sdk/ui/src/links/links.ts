/** Addresses that are files or services of the host, not pages that the shell can show. */
const NOT_PAGES =
  /^\/(rc-pub|assets|healthz|readyz|metrics|openapi\.json|(\w+\/)?(plugins|logout|login\/external))(\/|$|\?)|\.(pdf|xml|zip|epub|xlsx?|csv|ris|bib|json|txt|png|jpe?g|gif|svg|tiff?|webp|mp[34]|webm)$/i;

/**
 * The kind of target of an address: a page or file of a server, or a message. Undefined for every other address (`javascript:`, `data:`,
 * `blob:` and the rest), to which nothing may link. Relative addresses are read against `base`; without it, they are refused. The host
 * allows the same schemes (host/domain/src/link.rs).
 */
export function linkDestination(href: string, base?: string): 'web' | 'mail' | undefined {
  // Most links are paths of the site, and a renderer on the host parses addresses slowly.
  if (base?.startsWith('http') && /^\/[a-z0-9]/i.test(href)) return 'web';
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return undefined;
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return 'web';
  return url.protocol === 'mailto:' && url.pathname ? 'mail' : undefined;
}

/** The path, query and fragment below `base` of an address that the shell can show as a page; undefined for any other. */
export function internalPath(href: string, base: string, here: string = location.href): string | undefined {
  let url: URL;
  try {
    url = new URL(href, here);
  } catch {
    return undefined;
  }
  if (url.origin !== new URL(here).origin) return undefined;
  if (base && url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return undefined;
  const path = url.pathname.slice(base.length) || '/';
  return NOT_PAGES.test(path) ? undefined : path + url.search + url.hash;
}

/** Whether a click has no modifier key and uses the main button, so that a page may handle it. */
export function isPlainClick(event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'defaultPrevented'>): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;
}
