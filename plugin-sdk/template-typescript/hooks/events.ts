// Notifies another system when an article is published. Replace this with the code of your plugin.
import { encode, http, refuse, settings, type Events } from '@masthead/plugin';

interface Settings {
  address: string;
}

export const events = {
  notify(context, event) {
    if (event.kind !== 'article.published') return;
    const { address } = settings<Settings>();
    const body = { id: event.id, site: context.sld, time: event.time, doi: event.article?.doi ?? '' };
    const headers: [string, string][] = [['content-type', 'application/json']];
    const answer = http.fetch({ method: 'post', url: address, headers, body: encode(JSON.stringify(body)), credentials: [] });
    // After a refusal, the host repeats the event later.
    if (answer.status >= 300) refuse(`the other system responded with status ${answer.status}`);
  },
} satisfies Events;
