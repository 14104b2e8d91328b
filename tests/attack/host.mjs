// A demo host under attack: the real binary on a free port, with the demo content and a folder of its own.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '../..');
const START_SECONDS = 600;

/** An attack that could not be carried out, and why. */
export class NotTried extends Error {}

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

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
    while (waiting.length && found === undefined) found ??= await work(waiting.shift(), agent);
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
  constructor(child, folder, port, token) {
    Object.assign(this, { child, folder, port, token, log: '' });
    this.sites = path.join(folder, 'sites');
    this.data = path.join(folder, 'data');
  }

  runs() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * Sends a request and returns { status, headers, bytes, text }. `site` is the short name in the host name, "" for the platform's own host;
   * `from` is the address of the client, one of 127.0.0.0/8. Headers override everything.
   */
  send(address, { site = 'oceanledger', method = 'GET', headers = {}, body, from = '127.0.0.1', timeout = 30_000, agent = false } = {}) {
    const named = site ? `${site}.localhost` : '127.0.0.1';
    const options = { host: '127.0.0.1', port: this.port, path: address, method, localAddress: from, agent };
    return new Promise((resolve, reject) => {
      const sent = http.request({ ...options, headers: { host: `${named}:${this.port}`, ...headers } }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(timer);
          const bytes = Buffer.concat(parts);
          resolve({ status: response.statusCode, headers: response.headers, bytes, text: bytes.toString('utf8') });
        });
      });
      const timer = setTimeout(() => sent.destroy(new Error(`no response to ${method} ${address} within ${timeout} ms`)), timeout);
      sent.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      sent.end(body);
    });
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
    const status = `/proc/${this.child.pid}/status`;
    return existsSync(status) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024 : NaN;
  }

  /** Stops the host; returns what went wrong in it while it was attacked. */
  async stop() {
    const faults = [];
    if (!this.runs()) faults.push(`the host stopped by itself (${this.child.exitCode ?? this.child.signalCode})`);
    else {
      const gone = new Promise((resolve) => this.child.on('exit', resolve));
      this.child.kill('SIGTERM');
      if (!(await Promise.race([gone.then(() => true), sleep(30_000)]))) {
        faults.push('the host did not stop within 30 seconds of SIGTERM');
        this.child.kill('SIGKILL');
        await gone;
      }
    }
    faults.push(...this.log.split('\n').filter((line) => line.includes('panicked')));
    rmSync(this.folder, { recursive: true, force: true });
    return faults;
  }
}

/** Starts the host and waits until it is ready. */
export async function startHost() {
  const binary = path.resolve(process.env.MASTHEAD ?? path.join(root, 'target/debug/masthead'));
  if (!existsSync(binary)) throw new Error(`${binary} is missing; run \`make host\``);
  const folder = mkdtempSync(path.join(tmpdir(), 'masthead-attack-'));
  const [sites, data] = ['sites', 'data'].map((name) => path.join(folder, name));
  cpSync(path.join(root, 'sites'), sites, { recursive: true });
  mkdirSync(data, { mode: 0o700 });
  // Compiled plugins are kept between runs, as those of tests/fuzz.
  const compiled = path.join(path.dirname(binary), '..', 'fuzz-compiled');
  mkdirSync(compiled, { recursive: true, mode: 0o700 });
  symlinkSync(compiled, path.join(data, 'compiled'));
  const env = { ...process.env, MASTHEAD_LOG: 'warn' };
  delete env.MASTHEAD_DATABASE;
  const token = execFileSync(binary, ['token', '--data', data], { encoding: 'utf8', env }).trim();
  const child = spawn(binary, ['serve', '--sites', sites, '--data', data, '--listen', '127.0.0.1:0', '--demo', '--demo-articles', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const host = new Host(child, folder, 0, token);
  child.stderr.on('data', (chunk) => (host.log += chunk));
  host.port = await new Promise((resolve, reject) => {
    const failed = (why) => reject(new Error(`${why}: ${host.log.slice(-2000)}`));
    const timer = setTimeout(() => failed(`the host did not start within ${START_SECONDS} s`), START_SECONDS * 1000);
    child.stdout.on('data', (chunk) => {
      const found = /127\.0\.0\.1:(\d+)/.exec(String(chunk));
      if (!found) return;
      clearTimeout(timer);
      resolve(Number(found[1]));
    });
    child.on('exit', (code) => failed(`the host stopped with ${code}`));
  });
  child.removeAllListeners('exit');
  const ready = await until(60, async () => (await host.send('/readyz', { site: '' }).catch(() => ({}))).status === 200);
  if (!ready) throw new Error(`the host is not ready: ${host.log.slice(-2000)}`);
  return host;
}
