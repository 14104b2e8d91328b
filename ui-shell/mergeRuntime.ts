import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const dist = path.resolve(import.meta.dirname, 'dist');
const assets = path.join(dist, 'assets');
/** What the chunk of the entry exports the helpers as. */
const NAME = '$runtime';
const IMPORTS = /import\{([^}]*)\}from"\.\/rolldown-runtime-[^"]+";/;

type Chunks = Record<string, { file: string; imports?: string[]; css?: string[] }>;

const read = (file: string) => readFileSync(path.join(assets, file), 'utf8');

/** `a as b,c` as pairs. */
const pairs = (list: string) =>
  list.split(',').map((one): [string, string] => {
    const [from = one, to = from] = one.split(' as ');
    return [from, to];
  });

function merge(): void {
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
  const named = (name: string) => {
    const [found, ...others] = scripts.filter((file) => file.startsWith(`${name}-`));
    if (!found || others.length) throw new Error(`${assets} has not one script ${name}-*.js`);
    return found;
  };
  const [runtime, main] = [named('rolldown-runtime'), named('main')];
  const parts = /^(.*)export\{([^}]*)\};\s*$/s.exec(read(runtime));
  if (!parts?.[1] || !parts[2]) throw new Error(`${runtime} does not end with its exports`);
  const manifest = path.join(dist, '.vite', 'manifest.json');
  const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Chunks;
  const styles = Object.values(chunks).find(({ file }) => file === `assets/${main}`)?.css ?? [];
  if (!styles.length) throw new Error(`${manifest} names no styles of ${main}`);
  const helpers = pairs(parts[2]).map(([own, exported]) => `${exported}:${own}`);

  for (const file of scripts.filter((one) => one !== runtime)) {
    let text = read(file);
    if (text.includes(NAME)) throw new Error(`${file} has a name ${NAME}`);
    const list = IMPORTS.exec(text)?.[1];
    if (file === main && !list) throw new Error(`${main} does not import ${runtime}`);
    if (list) {
      const own = pairs(list).map(([exported, local]) => `${local}=${NAME}.${exported}`);
      const from = file === main ? `var ${NAME}=(()=>{${parts[1]}return{${helpers.join()}}})(),` : `import{${NAME}}from"./${main}";var `;
      text = `${text.replace(IMPORTS, () => `${from}${own.join()};`)}${file === main ? `export{${NAME}};\n` : ''}`;
    }
    // The lists of what a lazy part needs are by position.
    text = text.replaceAll(`assets/${runtime}`, `assets/${main}`);
    // The host has the styles of the entry in one file with those of modules, which lazy parts do not know: they would load them again, and
    // the browser would compute the styles of the whole page with twice the rules.
    for (const sheet of styles) text = text.replaceAll(`"${sheet}"`, `"assets/${main}"`);
    if (text.includes(runtime)) throw new Error(`${file} names ${runtime} in an unknown way`);
    writeFileSync(path.join(assets, file), text);
  }
  rmSync(path.join(assets, runtime));

  delete chunks[`_${runtime}`];
  for (const chunk of Object.values(chunks)) {
    if (chunk.imports) chunk.imports = chunk.imports.filter((key) => key !== `_${runtime}`);
  }
  writeFileSync(manifest, `${JSON.stringify(chunks, null, 2)}\n`);
}

/**
 * Moves the bundler's runtime (helpers for CommonJS packages, 700 bytes) from a chunk of its own, which no option of the bundler prevents, into the
 * chunk of the entry: every first view of a page would ask for it. Fails when the output has not the expected form.
 */
export function mergeRuntime(): Plugin {
  return {
    name: 'merge-runtime',
    apply: 'build',
    closeBundle(error?: Error) {
      if (!error) merge();
    },
  };
}
