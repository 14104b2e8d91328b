// The real binary with the demo content, on a free port and in a temporary folder: the host of the browser tests and of the attacks. The environment
// variable MASTHEAD names another binary than that of a debug build.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '..');
// The longest waits: they end what hangs, and are no measure of speed.
const START_SECONDS = 600;
const STOP_SECONDS = 180;
const ANSWER_MS = 120_000;

/** Factor of the time limits of plugins: beside other tests, a plugin may wait long for its turn, and a page without its part proves nothing. */
const PLUGIN_TIME_FACTOR = 20;

/** Waits without keeping this process alive. */
const after = (seconds, value) => sleep(seconds * 1000, value, { ref: false });

/** Compiled plugins are kept between runs, in the folder and with the key of the tests in Rust (`share_compiled` of host/test-support). */
function shareCompiled(data) {
  const shared = path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target', 'tmp/compiled-plugins');
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  symlinkSync(shared, path.join(data, 'compiled'));
  writeFileSync(path.join(data, 'cookie.key'), Buffer.alloc(32, 7), { mode: 0o600 });
}

/** Sets the factor of the time limits of plugins in a `platform.toml`. */
function givePluginsTime(file) {
  const text = readFileSync(file, 'utf8');
  const patient = text.replace(/^timeFactor = .*$/m, `timeFactor = ${PLUGIN_TIME_FACTOR}`);
  if (patient === text) throw new Error(`${file} has no line "timeFactor = ..."`);
  writeFileSync(file, patient);
}

/** Whether this is a folder or a file: no socket, and no link to the compiled plugins. */
const isContent = (from) => lstatSync(from).isDirectory() || lstatSync(from).isFile();

/** The environment variable with the data folder that `seedDemo` has made. */
const SEEDED = 'MASTHEAD_TEST_SEEDED';

/**
 * Starts a host that imports and indexes the demo content, stops it, and keeps its data folder: hosts that are started later begin with a copy, which
 * takes a fraction of that time. The folder is deleted when this process ends.
 */
export async function seedDemo() {
  const folder = mkdtempSync(path.join(tmpdir(), 'masthead-seeded-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const seeded = path.join(folder, 'data');
  const { stop } = await startDemo('seed');
  const wrong = await stop((data) => renameSync(data, seeded));
  if (wrong) throw new Error(wrong);
  process.env[SEEDED] = seeded;
}

/**
 * Starts a host on a copy of `sites/`, and waits until it accepts connections. Before the start, `prepare` may change the copy and the
 * data folder, and run commands of the binary. `serve` has further options of the command `serve`.
 */
export async function startDemo(name, { prepare, serve = [] } = {}) {
  const binary = path.resolve(process.env.MASTHEAD ?? path.join(root, 'target/debug/masthead'));
  if (!existsSync(binary)) throw new Error(`${binary} is missing; run \`make host\``);
  const folder = mkdtempSync(path.join(tmpdir(), `masthead-${name}-`));
  const [sites, data] = ['sites', 'data'].map((part) => path.join(folder, part));
  cpSync(path.join(root, 'sites'), sites, { recursive: true });
  givePluginsTime(path.join(sites, 'platform.toml'));
  mkdirSync(data, { mode: 0o700 });
  const seeded = process.env[SEEDED];
  if (seeded) cpSync(seeded, data, { recursive: true, filter: isContent });
  shareCompiled(data);
  // A database that the environment names is not that of the demo.
  const env = { ...process.env, MASTHEAD_LOG: 'warn' };
  delete env.MASTHEAD_DATABASE;
  delete env[SEEDED];
  const run = (...words) => execFileSync(binary, words, { encoding: 'utf8', env }).trim();
  prepare?.({ sites, data, run });

  const child = spawn(binary, ['serve', '--sites', sites, '--data', data, '--listen', '127.0.0.1:0', '--demo', '--demo-articles', '0', ...serve], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const gone = new Promise((resolve) => child.once('exit', () => resolve(true)));
  const end = () => child.exitCode ?? child.signalCode;
  let log = '';
  child.stderr.on('data', (chunk) => (log += chunk));
  const announced = new Promise((resolve) =>
    child.stdout.on('data', (chunk) => {
      const found = /127\.0\.0\.1:(\d+)/.exec(String(chunk));
      if (found) resolve(Number(found[1]));
    }),
  );
  const port = await Promise.race([announced, gone.then(() => undefined), after(START_SECONDS)]);

  /** Stops the host and deletes its folder, of which `keep` may keep the data. Returns what was wrong with its end, or undefined. */
  const stop = async (keep) => {
    let wrong;
    if (end() !== null) {
      wrong = `the host stopped by itself (${end()})`;
    } else {
      child.kill('SIGTERM');
      if (!(await Promise.race([gone, after(STOP_SECONDS, false)]))) {
        wrong = `the host did not stop within ${STOP_SECONDS} s of SIGTERM`;
        kill();
        await gone;
      }
    }
    process.off('exit', kill);
    if (!wrong) keep?.(data);
    rmSync(folder, { recursive: true, force: true });
    return wrong;
  };
  if (port === undefined) {
    const wrong = end() === null ? `the host did not start within ${START_SECONDS} s` : `the host stopped with ${end()}`;
    await stop();
    throw new Error(`${wrong}: ${log.slice(-2000)}`);
  }
  return { pid: child.pid, port, sites, data, run, log: () => log, runs: () => end() === null, stop };
}

/**
 * Sends a request to the host on a port and returns { status, headers, bytes, text }. The headers name the site; without a browser,
 * because names under `localhost` mean nothing to Node on some machines. `from` is the address of the client, one of 127.0.0.0/8.
 */
export function send(port, address, { method = 'GET', headers, body, from = '127.0.0.1', timeout = ANSWER_MS, agent = false }) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: address, method, localAddress: from, agent, headers }, (response) => {
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

/** The operator's metrics, from the socket in the data folder of a host. */
export const metrics = (data) =>
  new Promise((resolve, reject) => {
    request({ socketPath: path.join(data, 'admin.sock'), path: '/metrics' }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => (text += part));
      response.on('error', reject);
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });

/** How often a host has counted that a module failed in a browser for a reason. */
export async function failuresOf(data, module, reason) {
  const line = `masthead_ui_failures_total{module="${module}",reason="${reason}"} `;
  const found = (await metrics(data)).split('\n').find((one) => one.startsWith(line));
  return Number(found?.slice(line.length) ?? 0);
}
