// Runs the browser tests, or those that are named. One demo host and one Chromium serve all files that change nothing of the demo: each
// file would otherwise import the demo, compile its plugins and start a browser again.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { readdirSync } from 'node:fs';
import { seedDemo } from '../demo-host.mjs';
import { startBrowserServer, startPortal } from './portal.mjs';

const here = import.meta.dirname;
const named = process.argv.slice(2);
const files = named.length ? named : readdirSync(here).filter((name) => name.endsWith('.test.mjs'));
const results = process.env.TEST_RESULTS;
const reporters = results
  ? ['--test-reporter=spec', '--test-reporter-destination=stdout', '--test-reporter=tap', `--test-reporter-destination=${path.join(results, 'browser.tap')}`]
  : [];

await seedDemo();
const portal = await startPortal();
const browser = await startBrowserServer();
// Four files at a time: while tests wait for their browser, others have work for two processors. In Node 20, the time limit of a test is also that
// of its file.
const options = ['--test', '--test-concurrency=4', '--test-timeout=900000', ...reporters];
const run = spawn(process.execPath, [...options, ...files.sort().map((name) => path.resolve(here, path.basename(name)))], {
  cwd: here,
  stdio: 'inherit',
  env: { ...process.env, MASTHEAD_TEST_PORT: String(portal.port), MASTHEAD_TEST_BROWSER: browser.wsEndpoint() },
});
const ended = await new Promise((resolve) => run.once('exit', (code) => resolve(code ?? 1)));
await browser.close();
await portal.stop();
process.exitCode = ended;
