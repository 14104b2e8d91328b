// One client harms the others: by using up limits, by forged addresses and counts, and by slow connections.
// The clients are addresses of this machine: 127.0.0.1 is the operator, each attack takes others.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { article, freshWord } from './documents.mjs';
import { inParallel, NotTried, until } from './host.mjs';

const SITE = { id: 448, sld: 'oceanledger' };

let last = 10;
/** An address that no other attack has used. */
const newClient = () => `127.0.0.${(last += 1)}`;

/** Requests that are limited, each on a site of its own, so that one attack does not use up what another one measures. */
const signIn = (site) => ({
  site,
  send: (host, options) => host.send('/en/login/external?url=%2Fen%2Fhome', { site, ...options }),
});
const translation = (site) => ({
  site,
  send: (host, options) => host.post('/rc-pub/front/front-article/translate/getAiTranslateResult', { from: 'en', to: 'zh', q: 'x' }, { site, ...options }),
});

/** Sends a request `times` times; returns how many were refused because of a limit. */
async function flood(host, limited, from, times, headersOf = () => ({})) {
  let refused = 0;
  await inParallel(
    Array.from({ length: times }, (_, number) => number),
    async (number, agent) => {
      const answer = await limited.send(host, { from, agent, headers: headersOf(number) });
      if (answer.status === 429) refused += 1;
    },
    from,
  );
  return refused;
}

/** More than a site allows to all clients together in a minute. */
const MANY = 800;

function exhausted(name, limited) {
  return {
    name: `limits: one client uses up ${name} for another`,
    success: 'another client is refused with 429',
    async run(host) {
      const [greedy, other] = [newClient(), newClient()];
      const refused = await flood(host, limited, greedy, MANY);
      if (!refused) throw new NotTried(`${MANY} requests of one client were all accepted: there is no limit to use up`);
      const answer = await limited.send(host, { from: other });
      return answer.status === 429 ? `after ${MANY} requests of ${greedy}, the first one of ${other} is refused` : undefined;
    },
  };
}

/** An address that is nobody's, another one for each number. */
const forgedAddress = (number) => `203.0.113.${number % 250}, 198.51.100.${number % 250}`;

const browser = (number) => `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + number}.0) Gecko/20100101 Firefox/${100 + number}.0`;

/** Views one article many times as many readers would; only a few may count. */
function counting(name, headersOf) {
  return {
    name: `usage counts: ${name}`,
    success: 'more than 25 of the views of one client count',
    async run(host) {
      const { id } = await host.uploadedArticle(SITE.id, 'a.xml', article({}));
      const address = `/en/article/${id}`;
      const visits = async () => JSON.parse((await host.send(`/rc-pub/front/front-article/getStatistics?id=${id}`)).text).data.visits;
      await host.send(address, { from: newClient(), headers: { 'user-agent': browser(0) } });
      if (!(await until(20, async () => (await visits()) > 0))) throw new NotTried('the view of an ordinary reader is not counted');
      const client = newClient();
      for (let number = 0; number < 50; number += 1) {
        await host.send(address, { from: client, headers: { 'user-agent': browser(1), ...headersOf(number) } });
      }
      // Counts are written every five seconds.
      await sleep(12_000);
      const counted = (await visits()) - 1;
      return counted > 25 ? `${counted} of 50 views count` : undefined;
    },
  };
}

/** Opens a connection that writes something now and then; notes when the host has closed it. */
function slowConnection(host, from, begin, drip, seconds) {
  const state = { closed: false };
  const socket = net.connect({ host: '127.0.0.1', port: host.port, localAddress: from });
  const timer = setInterval(() => !state.closed && drip && socket.write(drip), seconds * 1000);
  const close = () => {
    state.closed = true;
    clearInterval(timer);
    socket.destroy();
  };
  for (const event of ['end', 'close', 'error']) socket.on(event, close);
  socket.on('data', () => undefined);
  socket.write(begin);
  return { state, close };
}

export const clients = [
  exhausted('sign-ins', signIn('hsspress')),
  exhausted('machine translations', translation('scriptstone')),
  {
    name: 'limits: wrong administrator tokens of one client lock others out',
    success: 'an administrator with the right token, or another client, is refused with 429',
    async run(host) {
      const wrong = { site: '', send: (to, options) => to.send('/rc-pub/admin/import', { site: '', ...options, headers: { token: 'wrong' } }) };
      if (!(await flood(host, wrong, newClient(), MANY))) throw new NotTried(`${MANY} wrong tokens of one client were all looked at: there is no limit`);
      const right = await host.send('/rc-pub/admin/import', { site: '', from: newClient(), headers: { token: host.token } });
      if (right.status !== 200) return `the right token is answered with ${right.status}`;
      const other = await wrong.send(host, { from: newClient() });
      return other.status === 429 ? 'the first wrong token of another client is answered with 429' : undefined;
    },
  },
  {
    name: 'limits: one client pretends to be many with X-Forwarded-For',
    success: 'none of 300 requests in a minute is refused',
    async run(host) {
      const client = newClient();
      const headersOf = (number) => ({
        'x-forwarded-for': forgedAddress(number),
        forwarded: `for=203.0.113.${number % 250}`,
        'x-real-ip': `203.0.113.${number % 250}`,
      });
      const refused = await flood(host, signIn('quietcircuits'), client, 300, headersOf);
      return refused ? undefined : 'all 300 were accepted';
    },
  },
  {
    name: 'limits: one client pretends to be another with X-Forwarded-For',
    success: 'the other one is refused with 429',
    async run(host) {
      const limited = signIn('tidesdesk');
      const [forger, victim] = [newClient(), newClient()];
      await flood(host, limited, forger, 300, () => ({ 'x-forwarded-for': victim, forwarded: `for=${victim}`, 'x-real-ip': victim }));
      const answer = await limited.send(host, { from: victim });
      return answer.status === 429 ? `${victim} is refused` : undefined;
    },
  },
  counting('fifty user agents of one client', (number) => ({ 'user-agent': browser(number) })),
  counting('fifty forged addresses of one client', (number) => ({ 'user-agent': browser(number), 'x-forwarded-for': forgedAddress(number) })),
  {
    name: 'usage counts: a search text of one client is suggested to all',
    success: 'the suggested search words contain it',
    async run(host) {
      const [wanted, control] = [freshWord(), freshWord()];
      await host.uploadedArticle(SITE.id, 'a.xml', article({ title: `${wanted} ${control}` }));
      const search = (word, from, agent) => host.send(`/en/search?q=${word}`, { from, headers: { 'user-agent': agent } });
      const found = await until(30, async () =>
        (await host.send(`/rc-pub/front/search?q=${control}`, { headers: { 'user-agent': 'curl/8' } })).text.includes('10.5555'),
      );
      if (!found) throw new NotTried('the article is not in the search index');
      const client = newClient();
      for (let number = 0; number < 50; number += 1) await search(wanted, client, browser(number));
      for (let number = 0; number < 6; number += 1) await search(control, newClient(), browser(number));
      const words = async () => (await host.send('/rc-pub/front/hisSearch/hotWords?size=50')).text;
      if (!(await until(30, async () => (await words()).includes(control)))) throw new NotTried('a text that six readers searched for is not suggested');
      return (await words()).includes(wanted) ? `${wanted} is suggested` : undefined;
    },
  },
  {
    name: 'slow connections: 240 clients that send a byte now and then',
    success: 'others are not served within 5 s, or a slow connection is still open after a minute',
    async run(host) {
      const from = newClient();
      const named = `Host: ${SITE.sld}.localhost:${host.port}\r\n`;
      const open = (times, begin, drip) => Array.from({ length: times }, () => slowConnection(host, from, begin, drip, 2));
      const connections = {
        'that send the head of a request byte by byte': open(120, `GET /en/home HTTP/1.1\r\n${named}X-Slow: `, 'x'),
        'that send nothing': open(40, '', ''),
        'that stay idle after a response': open(40, `GET /healthz HTTP/1.1\r\n${named}\r\n`, ''),
        'that send a body byte by byte': open(
          40,
          `POST /rc-pub/front/ui-failure HTTP/1.1\r\n${named}Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{`,
          ' ',
        ),
      };
      const all = Object.values(connections).flat();
      const others = newClient();
      try {
        const end = Date.now() + 60_000;
        while (Date.now() < end && all.some(({ state }) => !state.closed)) {
          const answer = await host.send('/en/home', { from: others, timeout: 5000 }).catch((error) => ({ status: error.message }));
          if (answer.status !== 200) return `another client is answered with ${answer.status}`;
          await sleep(2000);
        }
        const left = Object.entries(connections).map(([kind, some]) => [kind, some.filter(({ state }) => !state.closed).length]);
        const still = left.filter(([, number]) => number);
        return still.length ? still.map(([kind, number]) => `${number} connections ${kind} are still open`).join('\n') : undefined;
      } finally {
        for (const { close } of all) close();
      }
    },
  },
  {
    name: 'slow connections: nine hundred at once',
    success: 'another client is not served within 30 s',
    async run(host) {
      const from = newClient();
      const all = Array.from({ length: 900 }, () => slowConnection(host, from, 'GET / HTTP/1.1\r\n', '', 60));
      try {
        await sleep(1000);
        const answer = await host.send('/en/home', { from: newClient(), timeout: 30_000 }).catch((error) => ({ status: error.message }));
        return answer.status === 200 ? undefined : `another client is answered with ${answer.status}`;
      } finally {
        for (const { close } of all) close();
      }
    },
  },
];
