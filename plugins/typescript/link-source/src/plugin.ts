// For tests of the host: what the plugins `knowledge-base` and `referrer-access` do, in TypeScript, and three faults.
import { log, refuse, settings, type Access, type Links } from '@masthead/plugin';

interface Settings {
  from: string;
  hosts: string[];
}

/** The host name of an http(s) address, in lower case: without user, port, path, query and fragment. */
function hostOf(address: string): string | undefined {
  // Browsers treat a backslash as the end of the authority as well.
  const [, authority = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(address) ?? [];
  const [host = ''] = authority.slice(authority.lastIndexOf('@') + 1).split(':');
  return host.replace(/\.$/, '').toLowerCase() || undefined;
}

function isListed(host: string, listed: string): boolean {
  const name = listed.toLowerCase();
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

export const links = {
  rewrite(context, links) {
    const { from } = settings<Settings>();
    if (from === 'refuse' && links.length > 0) refuse('told to refuse');
    if (from === 'throw' && links.length > 0) throw new TypeError('told to throw');
    while (from === 'loop' && links.length > 0);
    log.debug(`${links.length} links on ${context.sld}`);
    for (const link of links) {
      if (link.kind === 'result-article') link.query.push(['from', from]);
    }
    return links;
  },
} satisfies Links;

export const access = {
  decide(_context, request) {
    const { hosts } = settings<Settings>();
    const host = hostOf(request.referrer);
    const listed = host !== undefined && hosts.some((name) => isListed(host, name));
    return { ...request.permissions, visitPower: request.permissions.visitPower || listed };
  },
} satisfies Access;
