// Translates texts through a service that responds with `{"text": "..."}`. Replace this with the code of your plugin.
import { decode, encode, http, refuse, settings, type Translate } from '@masthead/plugin';

interface Settings {
  address: string;
  secret: string;
}

// This hook has its own type of refusals.
function fail(failure: Translate.Failure): never {
  return refuse(failure);
}

export const translate = {
  translate(_context, { text, source, target }) {
    const { address, secret } = settings<Settings>();
    const { status, body } = http.fetch({
      method: 'post',
      url: address,
      headers: [['content-type', 'application/x-www-form-urlencoded']],
      body: encode(`from=${source}&to=${target}&text=${encodeURIComponent(text)}`),
      credentials: [{ secret, place: { tag: 'header', val: 'authorization' }, form: { tag: 'plain', val: 'Bearer ' } }],
    });
    if (status === 401) fail({ tag: 'unauthorized' });
    if (status !== 200) fail({ tag: 'other', val: `the service responded with status ${status}` });
    return { text: (JSON.parse(decode(body)) as { text: string }).text, source };
  },
} satisfies Translate;
