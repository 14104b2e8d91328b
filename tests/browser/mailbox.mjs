// A mail server on this machine that keeps what it gets: the mail of the host under test, as readers would see it.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest wait for a message, in ms: it ends a test that hangs, and is no measure of speed. */
const WAIT_MS = 180_000;

/** The value of a header of a message or of a part, with its words decoded (RFC 2047). */
function header(head, name) {
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ');
  const value = new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded)?.[1] ?? '';
  const joined = value.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding, text) =>
    encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' ')),
  );
}

const quoted = (text) => {
  const bytes = text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex) => `\0${hex}`);
  const parts = bytes.split('\0');
  return Buffer.concat([
    Buffer.from(parts[0]),
    ...parts.slice(1).flatMap((part) => [Buffer.from(part.slice(0, 2), 'hex'), Buffer.from(part.slice(2))]),
  ]).toString('utf8');
};

/** The texts of a message, by type. */
function textsOf(message) {
  const at = message.indexOf('\r\n\r\n');
  const [head, body] = [message.slice(0, at), message.slice(at + 4)];
  const type = header(head, 'content-type');
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary)
    return Object.assign(
      {},
      ...body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => textsOf(part.replace(/^\r\n/, ''))),
    );
  const encoding = header(head, 'content-transfer-encoding').toLowerCase();
  const text = encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : encoding === 'quoted-printable' ? quoted(body) : body;
  return { [type.split(';')[0].trim().toLowerCase() || 'text/plain']: text };
}

function read(envelope, data) {
  const head = data.slice(0, data.indexOf('\r\n\r\n'));
  const texts = textsOf(data);
  return {
    ...envelope,
    subject: header(head, 'subject'),
    header: (name) => header(head, name),
    text: texts['text/plain'] ?? '',
    html: texts['text/html'] ?? '',
  };
}

/** Answers one connection, and passes on each message that it brings. */
function serve(socket, onMail) {
  socket.setEncoding('latin1');
  let [waiting, data, envelope] = ['', undefined, { to: [] }];
  const say = (line) => socket.write(`${line}\r\n`);
  const command = (line) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') return socket.write('250-mailbox\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n');
    if (verb === 'MAIL') envelope = { from: /<([^>]*)>/.exec(line)?.[1], to: [] };
    if (verb === 'RCPT') envelope.to.push(/<([^>]*)>/.exec(line)?.[1]);
    if (verb === 'DATA') {
      data = '';
      return say('354 go on');
    }
    if (verb === 'QUIT') {
      say('221 bye');
      return socket.end();
    }
    return say('250 fine');
  };
  say('220 mailbox');
  socket.on('data', (chunk) => {
    waiting += chunk;
    for (;;) {
      const end = waiting.indexOf('\r\n');
      if (end < 0) return;
      const line = waiting.slice(0, end);
      waiting = waiting.slice(end + 2);
      if (data === undefined) command(line);
      else if (line === '.') {
        onMail(read(envelope, Buffer.from(data, 'latin1').toString('utf8')));
        data = undefined;
        say('250 kept');
      } else data += `${line.replace(/^\.\./, '.')}\r\n`;
    }
  });
  socket.on('error', () => undefined);
}

/** Starts a mail server on a free port. `wait` resolves to the first message that fits and was not waited for before. */
export async function startMailbox() {
  const mails = [];
  const server = createServer((socket) => serve(socket, (mail) => mails.push(mail)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const taken = new Set();
  const wait = async (fits, what) => {
    for (let waited = 0; waited < WAIT_MS; waited += 100) {
      const found = mails.find((mail) => !taken.has(mail) && fits(mail));
      if (found) {
        taken.add(found);
        return found;
      }
      await sleep(100);
    }
    throw new Error(`no mail within ${WAIT_MS} ms: ${what}; there is ${JSON.stringify(mails.map(({ to, subject }) => [to, subject]))}`);
  };
  return {
    port: server.address().port,
    mails,
    wait,
    /** The code in the next message to an address. */
    code: async (to) => /\b(\d{6})\b/.exec((await wait((mail) => mail.to.includes(to) && /\b\d{6}\b/.test(mail.text), `a code for ${to}`)).text)[1],
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
