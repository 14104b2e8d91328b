// The demo host under attack, and what attacks send to it.
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { send, startDemo } from '../demo-host.mjs';

/** An attack that could not be carried out, and why. */
export class NotTried extends Error {}

/** Calls `probe` until it returns something, for at most `seconds`. */
export async function until(seconds, probe) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await probe();
    if (found || Date.now() > end) return found;
    await sleep(250);
  }
}

/** Calls `work` for every item, sixteen at a time, each with a connection that is used again; returns the first result that is not undefined. */
export async function inParallel(items, work, from = '127.0.0.1') {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16, localAddress: from });
  const waiting = [...items];
  let found;
  const worker = async () => {
    while (waiting.length && found === undefined) {
      const result = await work(waiting.shift(), agent);
      // Another worker may have found something in the meantime.
      found ??= result;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  agent.destroy();
  return found;
}

/** The text in a response: its bytes, the same as UTF-16 (spreadsheets), and the files of an archive. */
export function visibleText(bytes) {
  const texts = [bytes.toString('utf8'), bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le')];
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    try {
      const data = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
      if (bytes.readUInt16LE(at + 8) === 8) texts.push(inflateRawSync(bytes.subarray(data)).toString('latin1'));
    } catch {
      // Stored without compression, or no archive: the bytes themselves are searched.
    }
  }
  return texts.join('\n');
}

class Host {
  constructor(demo, token) {
    Object.assign(this, { demo, token, port: demo.port, sites: demo.sites, data: demo.data });
  }

  get log() {
    return this.demo.log();
  }

  runs() {
    return this.demo.runs();
  }

  /** Sends a request (see `send` of the demo host). `site` is the short name in the host name, "" for the platform's own host; headers override it. */
  send(address, { site = 'oceanledger', headers = {}, ...options } = {}) {
    const named = site ? `${site}.localhost` : '127.0.0.1';
    return send(this.port, address, { ...options, headers: { host: `${named}:${this.port}`, ...headers } });
  }

  /** Sends JSON as a page of the site does. */
  post(address, value, options = {}) {
    const headers = { 'content-type': 'application/json', ...options.headers };
    return this.send(address, { method: 'POST', body: JSON.stringify(value), ...options, headers });
  }

  /** Sends bytes as they are and returns what comes back, as Latin-1, until the host closes the connection or `timeout` is over. */
  raw(text, { from = '127.0.0.1', timeout = 5000 } = {}) {
    return new Promise((resolve) => {
      const parts = [];
      const socket = net.connect({ host: '127.0.0.1', port: this.port, localAddress: from });
      const finish = () => {
        clearTimeout(timer);
        socket.destroy();
        resolve(Buffer.concat(parts).toString('latin1'));
      };
      const timer = setTimeout(finish, timeout);
      socket.on('data', (part) => parts.push(part));
      socket.on('close', finish);
      socket.on('error', finish);
      socket.write(text, 'latin1');
    });
  }

  /** Imports a file through the administrators' call; returns the job and the items of its report. */
  async upload(siteId, name, bytes, { format = 'auto', seconds = 60 } = {}) {
    const headers = { token: this.token, language: 'en', 'content-type': 'application/octet-stream' };
    const address = `/rc-pub/admin/import?siteId=${siteId}&name=${name}&format=${format}`;
    const sent = await this.send(address, { site: '', method: 'POST', headers, body: bytes });
    if (sent.status !== 202) throw new NotTried(`the upload of ${name} was answered with ${sent.status}: ${sent.text.slice(0, 200)}`);
    const { id } = JSON.parse(sent.text).data;
    const ended = await until(seconds, async () => {
      const { data } = JSON.parse((await this.send(`/rc-pub/admin/import/${id}`, { site: '', headers })).text);
      return ['done', 'failed', 'set-aside'].includes(data.job.state) && data;
    });
    return ended || { job: { state: 'running', created: 0 }, items: [] };
  }

  /** The number of the article that an upload created; without one, the attack cannot go on. */
  async uploadedArticle(siteId, name, bytes) {
    const { job, items } = await this.upload(siteId, name, bytes);
    const stored = items.find((item) => item.article);
    if (!stored) throw new NotTried(`the article was not imported: ${JSON.stringify(items[0] ?? job).slice(0, 400)}`);
    return { id: stored.article, item: stored };
  }

  /** Greatest memory of the process so far in MiB; NaN where the system does not say. */
  peakMemory() {
    const status = `/proc/${this.demo.pid}/status`;
    return existsSync(status) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024 : NaN;
  }

  /** Stops the host; returns what went wrong in it while it was attacked. */
  async stop() {
    const wrong = await this.demo.stop();
    return [...(wrong ? [wrong] : []), ...this.log.split('\n').filter((line) => line.includes('panicked'))];
  }
}

/** Starts the host and waits until it is ready. */
export async function startHost() {
  let token;
  const demo = await startDemo('attack', { prepare: ({ data, run }) => (token = run('token', 'create', 'attack', '--data', data)) });
  const host = new Host(demo, token);
  const ready = await until(60, async () => (await host.send('/readyz', { site: '' }).catch(() => ({}))).status === 200);
  if (!ready) throw new Error(`the host is not ready: ${host.log.slice(-2000)}`);
  return host;
}
