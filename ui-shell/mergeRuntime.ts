// Moves the bundler's runtime (helpers for CommonJS packages, 700 bytes) from a chunk of its own, which no option of the bundler prevents,
// into the chunk of the entry: every first view of a page would ask for it. Fails when the output does not have the expected form.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const dist = path.resolve(import.meta.dirname, 'dist');
const assets = path.join(dist, 'assets');
/** What the chunk of the entry exports the helpers as. */
const NAME = '$runtime';

const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
const named = (name) => {
  const found = scripts.filter((file) => file.startsWith(`${name}-`));
  if (found.length !== 1) throw new Error(`${assets} has ${found.length} scripts ${name}-*.js`);
  return found[0];
};
const [runtime, main] = [named('rolldown-runtime'), named('main')];
const read = (file) => readFileSync(path.join(assets, file), 'utf8');

/** `a as b,c` as pairs. */
const pairs = (list) => list.split(',').map((one) => (one.includes(' as ') ? one.split(' as ') : [one, one]));
const parts = /^(?<body>.*)export\{(?<list>[^}]*)\};\s*$/s.exec(read(runtime))?.groups;
if (!parts) throw new Error(`${runtime} does not end with its exports`);
const helpers = pairs(parts.list).map(([own, exported]) => `${exported}:${own}`);
const imports = /import\{([^}]*)\}from"\.\/rolldown-runtime-[^"]+";/;

for (const file of scripts.filter((file) => file !== runtime)) {
  let text = read(file);
  const list = imports.exec(text)?.[1];
  if (text.includes(NAME)) throw new Error(`${file} has a name ${NAME}`);
  if (file === main && !list) throw new Error(`${main} does not import ${runtime}`);
  if (list) {
    const own = pairs(list).map(([exported, local]) => `${local}=${NAME}.${exported}`);
    const from = file === main ? `var ${NAME}=(()=>{${parts.body}return{${helpers}}})(),` : `import{${NAME}}from"./${main}";var `;
    text = `${text.replace(imports, () => `${from}${own};`)}${file === main ? `export{${NAME}};\n` : ''}`;
  }
  // The lists of what a lazy part needs are by position.
  text = text.replaceAll(`assets/${runtime}`, `assets/${main}`);
  if (text.includes(runtime)) throw new Error(`${file} names ${runtime} in an unknown way`);
  writeFileSync(path.join(assets, file), text);
}
rmSync(path.join(assets, runtime));

const manifest = path.join(dist, '.vite', 'manifest.json');
const chunks = JSON.parse(readFileSync(manifest, 'utf8'));
delete chunks[`_${runtime}`];
for (const chunk of Object.values(chunks)) {
  if (chunk.imports) chunk.imports = chunk.imports.filter((key) => key !== `_${runtime}`);
}
writeFileSync(manifest, `${JSON.stringify(chunks, null, 2)}\n`);
