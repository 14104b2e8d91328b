// `npm run pack -w @masthead/ui-sdk -- --to DIR`: compiles the SDK and packs it, for modules that are built outside of this repository.
// The package has the folders of the sources, with JavaScript and declarations in place of TypeScript: what imports by name finds the same.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const own = path.resolve(import.meta.dirname, '..');
const repository = path.resolve(own, '../..');
const at = process.argv.indexOf('--to');
const to = path.resolve(process.env.INIT_CWD ?? process.cwd(), at > 0 ? (process.argv[at + 1] ?? '.') : path.join(own, 'dist'));
const stage = path.join(own, 'dist/package');

const compiled = (file) => file.replace(/^(\.\/(?:src|build)\/.*)\.tsx?$/, '$1.js');

/** The manifest of the package, from that of the workspace. */
function manifest() {
  const { private: _, scripts: __, devDependencies: ___, exports, ...rest } = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8'));
  const tools = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')).devDependencies;
  const optional = ['@testing-library/react', '@vitejs/plugin-react', 'vite'];
  const entry = (file) => (compiled(file) === file ? file : { types: compiled(file).replace(/\.js$/, '.d.ts'), default: compiled(file) });
  return {
    ...rest,
    files: ['build', 'example', 'src', 'slots.json'],
    exports: Object.fromEntries(Object.entries(exports).map(([name, file]) => [name, entry(file)])),
    bin: { 'masthead-gallery': 'build/gallery.mjs' },
    sideEffects: ['**/*.css'],
    engines: { node: '>=20.19' },
    peerDependencies: { ...rest.peerDependencies, ...Object.fromEntries(optional.map((name) => [name, `^${tools[name]}`])) },
    // A module needs the build tools when it is built, and the test library for its tests.
    peerDependenciesMeta: Object.fromEntries(optional.map((name) => [name, { optional: true }])),
  };
}

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
mkdirSync(to, { recursive: true });
// The compiler of the repository, which is not the one that the generator of the API's types needs.
const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', path.join(own, 'build'), '--outDir', stage], { stdio: 'inherit' });

for (const name of readdirSync(stage, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = path.join(stage, name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.tsx?\2/g, '$1$2$3.js$2'));
}
for (const name of ['slots.json', 'build/gallery.mjs', ...readdirSync(path.join(own, 'src'), { recursive: true }).map((name) => `src/${name}`)]) {
  if (!/\.(css|json|mjs)$/.test(name)) continue;
  mkdirSync(path.dirname(path.join(stage, name)), { recursive: true });
  copyFileSync(path.join(own, name), path.join(stage, name));
}
copyFileSync(path.join(repository, 'LICENSE'), path.join(stage, 'LICENSE'));
copyFileSync(path.join(repository, 'docs/ui-modules.md'), path.join(stage, 'README.md'));
// A whole project to begin with: the one that the tests build with this package.
cpSync(path.join(repository, 'tests/foreign-module/harbour-nav'), path.join(stage, 'example'), {
  recursive: true,
  filter: (from) => !/^(node_modules|dist)$/.test(path.basename(from)),
});
const packed = manifest();
writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
for (const [name, target] of Object.entries(packed.exports)) {
  for (const file of typeof target === 'string' ? [target] : Object.values(target)) {
    if (!existsSync(path.join(stage, file))) throw new Error(`the package exports ${name} from ${file}, which was not built`);
  }
}
const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], { cwd: stage, encoding: 'utf8' }));
console.log(path.join(to, filename));
