// Signs a token for the frame of the assistant. Replace this with the code of your plugin.
import { base64Url, clock, encode, secrets, settings, type Assistant } from '@masthead/plugin';

interface Settings {
  secret: string;
}

export const assistant = {
  secureParameters(context, { host, query }) {
    const { secret } = settings<Settings>();
    const claims = { host, iat: Math.floor(Number(clock.now()) / 1000), query, siteId: Number(context.siteId) };
    const text = base64Url(encode(JSON.stringify(claims)));
    return `${text}.${secrets.sign(secret, encode(text))}`;
  },
} satisfies Assistant;
