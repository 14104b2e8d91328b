// Signs readers in through an external service that redirects them back with a ticket. Replace this with the code of your plugin.
import { decode, http, refuse, settings, type Identity } from '@masthead/plugin';

interface Settings {
  signInAddress: string;
  userAddress: string;
  secret: string;
}

function withQuery(address: string, values: [string, string][]): string {
  const query = values.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

export const identity = {
  begin(_context, { callback, state }) {
    const { signInAddress } = settings<Settings>();
    return withQuery(signInAddress, [
      ['callback', callback],
      ['state', state],
    ]);
  },

  complete(_context, answer) {
    const { userAddress, secret } = settings<Settings>();
    const ticket = answer.query.find(([name]) => name === 'ticket')?.[1];
    if (!ticket) refuse('the identity service sent no ticket');
    const { status, body } = http.fetch({
      method: 'get',
      url: withQuery(userAddress, [['ticket', ticket]]),
      headers: [],
      body: new Uint8Array(),
      credentials: [{ secret, place: { tag: 'header', val: 'authorization' }, form: { tag: 'plain', val: 'Bearer ' } }],
    });
    if (status !== 200) refuse(`the identity service responded with status ${status}`);
    const { id, name } = JSON.parse(decode(body)) as { id: string; name: string };
    return { subject: id, name };
  },
} satisfies Identity;
