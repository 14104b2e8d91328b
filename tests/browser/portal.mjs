// Starts the real binary on a free port with a temporary folder, and Chromium.
import { spawn, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const root = path.resolve(import.meta.dirname, '../..');

const find = (...names) => {
  for (const name of names) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Not found: try the next name.
    }
  }
  throw new Error(`no browser: install Chromium (looked for ${names.join(', ')} on the PATH)`);
};

/** Starts a host with the demo content on a copy of `sites/`, which `edit` may change before the start; `secrets` is the text of `secrets.toml`. */
export async function startPortal({ edit, secrets } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'masthead-browser-'));
  const sites = path.join(folder, 'sites');
  cpSync(path.join(root, 'sites'), sites, { recursive: true });
  edit?.(sites);
  if (secrets) {
    mkdirSync(path.join(folder, 'data'));
    writeFileSync(path.join(folder, 'data/secrets.toml'), secrets, { mode: 0o600 });
  }
  const binary = process.env.MASTHEAD ?? path.join(root, 'target/debug/masthead');
  const host = spawn(binary, ['serve', '--sites', sites, '--data', path.join(folder, 'data'), '--listen', '127.0.0.1:0', '--demo', '--demo-articles', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  host.stderr.on('data', (chunk) => (log += chunk));
  const port = await new Promise((resolve, reject) => {
    host.stdout.on('data', (chunk) => {
      const found = /127\.0\.0\.1:(\d+)/.exec(String(chunk));
      if (found) resolve(Number(found[1]));
    });
    host.on('exit', (code) => reject(new Error(`the host stopped with ${code}: ${log}`)));
  });
  return {
    port,
    sites,
    log: () => log,
    at: (sld, address) => `http://${sld}.localhost:${port}${address}`,
    stop: async () => {
      host.removeAllListeners('exit');
      const gone = new Promise((resolve) => host.on('exit', resolve));
      host.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The body of a page of a site, requested without a browser: names under `localhost` mean nothing to Node on some machines. */
export function get(port, sld, address) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: address, headers: { host: `${sld}.localhost` } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => (response.statusCode === 200 ? resolve(body) : reject(new Error(`${sld} ${address}: ${response.statusCode}`))));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Starts Chromium, which can access this machine only. */
export const startBrowser = () =>
  chromium.launch({
    executablePath: find('chromium', 'chromium-browser', 'google-chrome'),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP *.localhost 127.0.0.1',
    ],
  });

/** Opens a page that records console errors, exceptions and requests to other origins in `faults`. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const host = new URL(request.url()).hostname;
    if (!host.endsWith('localhost') && !request.url().startsWith('data:')) faults.push(`another origin: ${request.url()}`);
  });
  return { page, faults, close: () => context.close() };
}

/** The address of the first article listed on a page. */
export const firstArticle = (page) => page.locator('.article-card .card-title a').first().getAttribute('href');
