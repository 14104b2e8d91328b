// Sends text messages through a gateway that responds with `{"id": "..."}`. Replace this with the code of your plugin.
import { decode, encode, http, refuse, settings, type Messaging } from '@masthead/plugin';

interface Settings {
  address: string;
  secret: string;
}

// This hook has its own type of refusals.
function fail(failure: Messaging.Failure): never {
  return refuse(failure);
}

export const messaging = {
  send(_context, message) {
    if (message.channel !== 'sms') fail({ tag: 'not-mine' });
    const { address, secret } = settings<Settings>();
    const { status, body } = http.fetch({
      method: 'post',
      url: address,
      headers: [['content-type', 'application/json']],
      body: encode(JSON.stringify({ to: message.to, text: message.text })),
      credentials: [{ secret, place: { tag: 'header', val: 'authorization' }, form: { tag: 'plain', val: 'Bearer ' } }],
    });
    if (status === 422) fail({ tag: 'refused', val: 'the gateway does not know this number' });
    if (status !== 200) fail({ tag: 'other', val: `the gateway responded with status ${status}` });
    return (JSON.parse(decode(body)) as { id: string }).id;
  },
} satisfies Messaging;
