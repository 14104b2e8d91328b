#!/usr/bin/env node
// `masthead-plugin-ts build PROJECT [--wit DIR] [--out FILE] [--no-check]`: builds the component of a plugin in TypeScript.
// The project needs no installed packages: SDK, compiler, bundler and engine are those of this package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { camel, readContract, stale } from './wit.mjs';

const SDK = import.meta.dirname;
const WORLD = 'built-plugin';
const USAGE = 'usage: masthead-plugin-ts build PROJECT [--wit DIR] [--out FILE] [--no-check]';

/** An error in the author's project, as opposed to one of this tool: printed without a stack trace. */
export class BuildError extends Error {}

const list = (names) => [...names].join(', ');

export async function readManifest(project) {
  const file = path.join(project, 'plugin.toml');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new BuildError(`${file} is missing; is ${project} the folder of a plugin?`);
  });
  const { parse } = await import('smol-toml');
  let manifest;
  try {
    manifest = parse(text);
  } catch (error) {
    throw new BuildError(`${file}:${error.line ?? 1}:${error.column ?? 1}: ${String(error.message).split('\n')[0]}`);
  }
  const { hooks, capabilities = {} } = manifest;
  if (!Array.isArray(hooks) || hooks.length === 0 || hooks.some((hook) => typeof hook !== 'string')) {
    throw new BuildError(`${file}: \`hooks\` must list at least one hook, such as hooks = ["links.rewrite"]`);
  }
  if (typeof capabilities !== 'object' || Array.isArray(capabilities)) throw new BuildError(`${file}: \`capabilities\` must be a table of reasons`);
  return { hooks, capabilities: Object.keys(capabilities) };
}

// The hook `links.rewrite` is the function `rewrite` of the interface `links`, or of `links-rewrite`.
function findHook(contract, hook) {
  const [group, action = ''] = hook.split('.');
  return [group, `${group}-${action}`].map((name) => contract.hooks.get(name)).find((entry) => entry?.functions.includes(camel(action)));
}

// Names of functions in kebab case, as in WIT and plugin.toml; JavaScript uses camel case.
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function hookNames(contract) {
  return [...contract.hooks.values()].flatMap(({ name, functions }) =>
    functions.map(kebab).map((action) => `${name.endsWith(`-${action}`) ? name.slice(0, -action.length - 1) : name}.${action}`),
  );
}

/** The interfaces that a manifest exports and imports. */
export function deriveWorld(contract, { hooks, capabilities }) {
  const exported = new Map();
  for (const hook of hooks) {
    const found = findHook(contract, hook);
    if (!found) throw new BuildError(`plugin.toml: ${hook} is not a hook of this contract; known are ${list(hookNames(contract))}`);
    exported.set(found.name, found);
  }
  const imported = capabilities.map((name) => {
    const found = contract.capabilities.get(name);
    if (!found) throw new BuildError(`plugin.toml: ${name} is not a capability of this contract; known are ${list(contract.capabilities.keys())}`);
    return found;
  });
  return { exported: [...exported.values()], imported };
}

export function worldText({ exported, imported }) {
  const lines = [...imported.map(({ name }) => `    import ${name};`), ...exported.map(({ name }) => `    export ${name};`)];
  return `world ${WORLD} {\n${lines.join('\n')}\n}\n`;
}

// Compares exports and imports of the bundle with the manifest, before slower tools fail with less clear messages.
function checkModule(chunk, world, contract) {
  for (const { name, functions } of world.exported) {
    if (!chunk.exports.includes(camel(name))) {
      throw new BuildError(
        `src/plugin.ts: the export \`${camel(name)}\` is missing; write \`export const ${camel(name)} = { ${functions.join('() {}, ')}() {} }\``,
      );
    }
  }
  for (const module of chunk.imports) {
    const capability = [...contract.capabilities.values()].find((entry) => entry.module === module);
    if (!capability) throw new BuildError(`src/plugin.ts: ${module} is not an interface that a plugin may call`);
    if (!world.imported.includes(capability)) {
      throw new BuildError(`src/plugin.ts uses the capability \`${capability.name}\`: add it to [capabilities] in plugin.toml, with a reason`);
    }
  }
}

// Runs first: time and random numbers come from the host, or throw an error that names the missing capability.
export function globalsText({ imported }) {
  const module = (name) => imported.find((entry) => entry.name === name)?.module;
  const lines = [`import { install, missing, fraction } from ${JSON.stringify(path.join(SDK, 'src/globals.ts'))};`];
  if (module('clock')) lines.push(`import { now } from '${module('clock')}';`);
  if (module('random')) lines.push(`import { bytes } from '${module('random')}';`);
  const time = module('clock') ? '() => Number(now())' : "missing('the time of day', 'clock')";
  const random = module('random') ? '() => fraction(bytes(8))' : "missing('Math.random', 'random')";
  return `${lines.join('\n')}\ninstall(${time}, ${random});\n`;
}

// Hooks are wrapped: an uncaught exception becomes a refusal with message and location instead of a trap.
export function entryText(source, world) {
  return [
    "import 'masthead-globals';",
    `import * as plugin from ${JSON.stringify(source)};`,
    `import { Refusal } from '@masthead/plugin';`,
    // If the refusal of the hook is a variant, a string becomes its case `other`.
    "const refusal = (reason, variant) => new Refusal(variant && typeof reason === 'string' ? { tag: 'other', val: reason } : reason);",
    'const guard = (object, name, variant) => {',
    "  if (typeof object[name] !== 'function') throw new Error(`the export has no function ${name}`);",
    '  return (...values) => {',
    '    try { return object[name](...values); } catch (thrown) {',
    '      if (thrown instanceof Refusal) throw refusal(thrown.payload, variant);',
    "      if (typeof thrown === 'string') throw refusal(thrown, variant);",
    // The error value of a failed capability is in `payload`.
    "      const words = (payload) => JSON.stringify(payload, (_, value) => (typeof value === 'bigint' ? String(value) : value));",
    '      if (thrown?.payload !== undefined) throw refusal(`a call to the host failed: ${words(thrown.payload)}`, variant);',
    "      const where = String(thrown?.stack ?? '').trim().split('\\n')[0];",
    "      throw refusal(`${thrown}${where ? ` at ${where}` : ''}`, variant);",
    '    }',
    '  };',
    '};',
    ...world.exported.map(
      ({ name, functions, declared = [] }) =>
        `export const ${camel(name)} = { ${functions.map((action) => `${action}: guard(plugin.${camel(name)}, '${action}', ${declared.includes('Failure')})`).join(', ')} };`,
    ),
  ].join('\n');
}

async function bundle(input, project, extra = {}) {
  const { rolldown } = await import('rolldown');
  const { parseAst } = await import('rolldown/parseAst');
  const sdk = {
    name: 'masthead',
    resolveId(id) {
      if (id in extra) return { id };
      if (id === '@masthead/plugin') return { id: path.join(SDK, 'src/index.ts') };
      // Unused capabilities are removed: the site has to grant every import.
      return id.startsWith('masthead:plugin/') ? { id, external: true, moduleSideEffects: false } : null;
    },
    load: (id) => extra[id] ?? null,
  };
  try {
    const built = await rolldown({
      input,
      cwd: project,
      platform: 'neutral',
      plugins: [sdk],
      logLevel: 'silent',
      onLog(level, log) {
        if (log.code === 'UNRESOLVED_IMPORT') throw new BuildError(log.message);
      },
    });
    const { output } = await built.generate({ format: 'esm', minify: false, codeSplitting: false });
    await built.close();
    const { code, exports } = output[0];
    // Read from the code: the bundler's own list still contains the removed imports.
    const imports = parseAst(code)
      .body.filter(({ type }) => type === 'ImportDeclaration')
      .map(({ source }) => source.value);
    return { code, exports, imports };
  } catch (error) {
    const first = error.errors?.[0] ?? error;
    const where = first.loc ? `${path.relative(project, first.loc.file ?? first.id ?? '')}:${first.loc.line}:${first.loc.column}: ` : '';
    throw new BuildError(`${where}${String(first.message).replaceAll(`${project}/`, '').trim()}`);
  }
}

// The modules of a plugin run once, during the build; the engine's output about that is long.
export function startError(message) {
  const [, called] = /unknown imported function: '([^\n]*)'/.exec(message) ?? [];
  if (called)
    return `src/plugin.ts calls the host while it loads (${called.replaceAll("'", '')}): only hooks may, because the top level runs once, while the plugin is built`;
  const [, thrown] = /Exception while evaluating top-level script\n(.*)/.exec(message) ?? [];
  return `src/plugin.ts fails while it loads: ${(thrown ?? message).trim()}`;
}

async function typeCheck(project, world, temporary) {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('typescript/package.json');
  const compiler = path.join(path.dirname(manifest), require(manifest).bin.tsc);
  const source = path.join(project, 'src/plugin.ts');
  const conformance = path.join(temporary, 'conformance.ts');
  const lines = [`import * as plugin from ${JSON.stringify(source)};`];
  for (const { name, module } of world.exported) lines.push(`plugin.${camel(name)} satisfies typeof import('${module}');`);
  await writeFile(conformance, `${lines.join('\n')}\n`);
  const own = path.join(project, 'tsconfig.json');
  const config = {
    ...(existsSync(own) ? { extends: own } : {}),
    compilerOptions: {
      ...(existsSync(own) ? {} : { strict: true }),
      target: 'es2023',
      lib: ['es2023'],
      types: [],
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      noEmit: true,
      composite: false,
      incremental: false,
      skipLibCheck: true,
      paths: { '@masthead/plugin': [path.join(SDK, 'src/index.ts')] },
    },
    files: [path.join(SDK, 'src/generated/wit.d.ts'), source, conformance],
    include: [],
  };
  await writeFile(path.join(temporary, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', path.join(temporary, 'tsconfig.json')], {
    cwd: project,
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status === 0) return;
  const relative = path.relative(project, conformance);
  // tsc writes file(line,column); editors and terminals open file:line:column.
  const said = `${stdout}${stderr}`
    .trim()
    .split('\n')
    .map((line) => {
      const [, file, row, column, message] = /^(\S.*?)\((\d+),(\d+)\): (.*)$/.exec(line) ?? [];
      if (!file) return line;
      if (path.basename(file) !== path.basename(relative)) return `${file}:${row}:${column}: ${message}`;
      return `src/plugin.ts: the export \`${camel(world.exported[Number(row) - 2]?.name ?? '')}\` does not fit its hook: ${message}`;
    });
  throw new BuildError(said.join('\n'));
}

/** What a component imports and exports: `masthead:plugin/links@0.1.0`. */
export async function inspect(component) {
  const { componentWit } = await import('@bytecodealliance/jco');
  const text = await componentWit(component);
  const named = (kind) => [...text.matchAll(new RegExp(`^ {2}${kind} ([^\\s;]+);`, 'gm'))].map(([, name]) => name);
  return { imports: named('import'), exports: named('export') };
}

export async function build(folder, { wit = path.join(SDK, '../wit'), out, check = true } = {}) {
  const project = await realpath(folder).catch(() => {
    throw new BuildError(`${folder} is not a folder`);
  });
  const manifest = await readManifest(project);
  const source = path.join(project, 'src/plugin.ts');
  if (!existsSync(source)) throw new BuildError(`${source} is missing; it must export the hooks of the plugin`);
  const contract = await readContract(wit);
  const old = await stale(contract, path.join(SDK, 'src/generated'));
  if (old.length) throw new BuildError(`the types of the SDK do not match ${wit}: run \`npm run types -w @masthead/plugin\` (${list(old)})`);
  const world = deriveWorld(contract, manifest);

  const temporary = await realpath(await mkdtemp(path.join(tmpdir(), 'masthead-plugin-')));
  try {
    checkModule(await bundle(source, project), world, contract);
    if (check) await typeCheck(project, world, temporary);
    const { code, imports: used } = await bundle('masthead-entry', project, {
      'masthead-globals': globalsText(world),
      'masthead-entry': entryText(source, world),
    });
    // As in Rust: a capability that the manifest requests and the code never calls is not imported.
    world.imported = world.imported.filter(({ module }) => used.includes(module));
    const sourcePath = path.join(temporary, 'plugin.js');
    await writeFile(sourcePath, code);
    const witPath = path.join(temporary, 'wit');
    await cp(wit, witPath, { recursive: true });
    await writeFile(path.join(witPath, `${WORLD}.wit`), worldText(world));

    const { componentize } = await import('@bytecodealliance/componentize-js');
    let component;
    try {
      ({ component } = await componentize({ sourcePath, witPath, worldName: WORLD, disableFeatures: ['random', 'stdio', 'clocks', 'http', 'fetch-event'] }));
    } catch (error) {
      throw new BuildError(startError(String(error.message).replaceAll(`${temporary}/`, '')));
    }
    const { imports, exports } = await inspect(component);
    const allowed = new Set([...world.imported, ...contract.shared.values()].map(({ module }) => module));
    const foreign = imports.filter((name) => !allowed.has(name));
    if (foreign.length) throw new Error(`the component imports ${list(foreign)}, which the manifest does not request`);

    const target = path.resolve(out ?? path.join(project, 'dist/plugin.wasm'));
    await mkdir(path.dirname(target), { recursive: true });
    // Written to a temporary file and renamed: a host that watches the folder never reads half a component.
    await writeFile(`${target}.tmp`, component);
    await rename(`${target}.tmp`, target);
    return { target, size: component.length, imports, exports };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function main() {
  let parsed;
  try {
    parsed = parseArgs({ allowPositionals: true, options: { wit: { type: 'string' }, out: { type: 'string' }, 'no-check': { type: 'boolean' } } });
  } catch (error) {
    throw new BuildError(`${error.message}\n${USAGE}`);
  }
  const { values, positionals } = parsed;
  if (positionals.length !== 2 || positionals[0] !== 'build') throw new BuildError(USAGE);
  const { target, size, imports } = await build(positionals[1], { ...values, check: !values['no-check'] });
  console.log(`${target}: ${(size / 1048576).toFixed(1)} MiB; imports ${list(imports) || 'none'}`);
}

if (process.argv[1] && (await realpath(process.argv[1])) === import.meta.filename) {
  main().catch((error) => {
    console.error(error instanceof BuildError ? `masthead-plugin-ts: ${error.message}` : error);
    process.exitCode = 1;
  });
}
