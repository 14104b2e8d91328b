export interface Frame {
  href: string;
  sandbox: string;
}

const OWN = 'allow-forms allow-popups allow-top-navigation-by-user-activation';

/**
 * Address and sandbox of the frame. A frame of this origin runs no scripts, so that HTML from a plugin cannot act as the page;
 * one of another origin may run its own. Undefined for any other address.
 */
export function frameOf(frame: string, token: string, prefix: string, here: string = location.href): Frame | undefined {
  const address = frame.replaceAll('{token}', encodeURIComponent(token));
  if (!address) return undefined;
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z\d+.-]*:/i.test(address) ? address : `${prefix}/${address.replace(/^\/+/, '')}`, here);
  } catch {
    return undefined;
  }
  if (url.origin === new URL(here).origin && /^https?:$/.test(url.protocol)) return { href: url.href, sandbox: OWN };
  return url.protocol === 'https:' ? { href: url.href, sandbox: `${OWN} allow-scripts allow-same-origin` } : undefined;
}
