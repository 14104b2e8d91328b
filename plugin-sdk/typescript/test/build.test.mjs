import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inspect } from '../build.mjs';
import { run } from './run.mjs';

const sdk = path.resolve(import.meta.dirname, '..');
const PLUGIN = "import { settings, type Links } from '@masthead/plugin';\nexport const links = { rewrite: (_, links) => links } satisfies Links;\n";
const MANIFEST = 'hooks = ["links.rewrite"]\n[capabilities]\nsettings = "why"\n';
let folder;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'masthead-test-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const tool = (...args) =>
  spawnSync(process.execPath, [path.join(sdk, 'build.mjs'), 'build', ...args], { encoding: 'utf8', env: { ...process.env, npm_config_offline: 'true' } });

// Builds a project that has to fail and returns the error output.
async function complaint(name, source, manifest = MANIFEST) {
  const project = path.join(folder, name);
  await mkdir(path.join(project, 'src'), { recursive: true });
  if (manifest !== undefined) await writeFile(path.join(project, 'plugin.toml'), manifest);
  if (source !== null) await writeFile(path.join(project, 'src/plugin.ts'), source);
  const { status, stderr } = tool(project);
  assert.equal(status, 1, stderr);
  assert.doesNotMatch(stderr, /\n {4}at /);
  return stderr;
}

test('mistakes of authors are reported with clear messages', async () => {
  assert.match(tool(path.join(folder, 'nowhere')).stderr, /nowhere is not a folder/);
  assert.match(await complaint('empty', null), /src\/plugin\.ts is missing/);
  assert.match(await complaint('toml', PLUGIN, 'hooks = [\n'), /plugin\.toml:\d+:\d+: /);
  assert.match(await complaint('hookless', PLUGIN, 'id = "x"\n'), /must list at least one hook/);
  assert.match(await complaint('unknown', PLUGIN, 'hooks = ["links.shorten"]\n'), /links\.shorten is not a hook of this contract/);
  assert.match(await complaint('unexported', 'export const other = 1;\n'), /the export `links` is missing/);
  assert.match(await complaint('syntax', 'export const links = {\n'), /src\/plugin\.ts/);
  assert.match(await complaint('package', "import 'left-pad';\nexport const links = {};\n"), /left-pad/);
  assert.match(
    await complaint('ungranted', `${PLUGIN}import { log } from '@masthead/plugin';\nlog.info('x');\n`),
    /uses the capability `log`: add it to \[capabilities\] in plugin\.toml/,
  );
});

test('a capability that the SDK re-exports is imported without the others', async () => {
  const source = `${PLUGIN}import { kv } from '@masthead/plugin';\nObject.assign(links, { keys: () => kv.keys('', '') });\n`;
  assert.match(await complaint('passed-on', source), /uses the capability `kv`: add it to/);
});

test('a type error names file, line and column; a wrong hook type names the export', async () => {
  assert.match(await complaint('types', `${PLUGIN}export const wrong: number = 'x';\n`), /src\/plugin\.ts:3:14: error TS2322/);
  assert.match(await complaint('shape', 'export const links = { rename: () => 1 };\n'), /the export `links` does not fit its hook: error TS\d+/);
});

test('a failure while the plugin loads is reported without the output of the engine', async () => {
  const stderr = await complaint('loads', `${PLUGIN}Object.assign(links, { started: new Date() });\n`);
  assert.match(stderr, /src\/plugin\.ts fails while it loads: .*the time of day needs the capability `clock` in plugin\.toml/);
});

test('a copy of the template builds outside the repository without installed packages, and imports only what it calls', async () => {
  const project = path.join(folder, 'my-plugin');
  await cp(path.join(sdk, '../template-typescript'), project, { recursive: true });
  const { status, stderr } = tool(project);
  assert.equal(status, 0, stderr);
  const file = path.join(project, 'dist/plugin.wasm');
  const { imports, exports } = await inspect(await readFile(file));
  assert.deepEqual(
    imports.filter((name) => !/^masthead:plugin\/(settings|types)@/.test(name)),
    [],
  );
  assert.deepEqual(
    exports.map((name) => name.replace(/@.*/, '')),
    ['masthead:plugin/links'],
  );

  const { links } = await run(file, { 'masthead:plugin/settings': { get: () => '{"from":"here"}' }, 'masthead:plugin/types': {} });
  const context = { siteId: 1n, sld: 'test', lang: 'en', route: 'home', address: 'https://test.example.org/en' };
  const link = (kind) => ({ kind, path: 'article/1', query: [] });
  const answer = links.rewrite(context, [link('result-article'), link('menu')]);
  assert.deepEqual(
    answer.map(({ query }) => query),
    [[['from', 'here']], []],
  );
});
