// Translates texts through a service that answers `{"text": "..."}`. Replace by what your plugin does.
import { decode, encode, http, refuse, settings, type Translate } from '@masthead/plugin';

interface Settings {
  address: string;
  secret: string;
}

// Refusals of this hook are values of its own.
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
    if (status !== 200) fail({ tag: 'other', val: `the service answers with status ${status}` });
    return { text: (JSON.parse(decode(body)) as { text: string }).text, source };
  },
} satisfies Translate;
