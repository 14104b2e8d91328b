// Reads a folder of WIT files: which interfaces are hooks, which are capabilities, and their TypeScript types.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { types } from '@bytecodealliance/jco';

const HEADER = '// This file is auto-generated from plugin-sdk/wit by `npm run types -w @masthead/plugin`. Do not edit.\n';

export const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(name).replace(/^./, (letter) => letter.toUpperCase());

// The world `host` contains everything: it exports the hooks and imports the capabilities and the shared types.
export async function readContract(folder) {
  const names = await readdir(folder).catch(() => []);
  if (!names.some((name) => name.endsWith('.wit'))) throw new Error(`${folder} contains no WIT files`);
  const files = await types(folder, { worldName: 'host', guest: true });
  const decode = (content) => (typeof content === 'string' ? content : new TextDecoder().decode(content));
  const world = decode(files['host.d.ts']);
  const declarations = Object.entries(files).filter(([name]) => name.startsWith('interfaces/'));

  const interfaces = declarations.map(([, content]) => {
    const text = decode(content)
      .replace(/^\/\/\/ <reference.*\n/gm, '')
      .trim();
    const [, module, name] = /declare module '([^']+\/([^@']+)[^']*)'/.exec(text);
    // A function whose name is reserved in JavaScript appears as `export { _delete as delete }`.
    const functions = [...text.matchAll(/^ {2}export (?:function|\{ \S+ as) ([A-Za-z0-9_$]+)/gm)].map(([, found]) => found);
    const declared = [...text.matchAll(/^ {2}export (?:type|interface|class) ([A-Za-z0-9_$]+)/gm)].map(([, found]) => found);
    const exported = world.includes(`// export ${module}\n`);
    const kind = exported ? 'hook' : functions.length ? 'capability' : 'types';
    return { name, module, functions, declared, kind, text };
  });
  const of = (kind) => new Map(interfaces.filter((entry) => entry.kind === kind).map((entry) => [entry.name, entry]));
  return { hooks: of('hook'), capabilities: of('capability'), shared: of('types'), interfaces };
}

// The files to commit under src/generated: path -> text.
export function generate({ hooks, capabilities, shared, interfaces }) {
  const index = [HEADER, '/// <reference path="./wit.d.ts" />\n'];
  for (const { module } of shared.values()) index.push(`export type * from '${module}';`);
  index.push('\n// Capabilities: what `plugin.toml` has to ask for.');
  for (const { name, module } of capabilities.values()) index.push(`export * as ${camel(name)} from '${module}';`);
  index.push('\n// Hooks: the type of the object that a plugin exports, and beside it, as in `Links.Link`, the types that it speaks.');
  for (const { name, module, declared } of hooks.values()) {
    index.push(`export type ${pascal(name)} = typeof import('${module}');`);
    index.push(`export declare namespace ${pascal(name)} {`);
    for (const type of declared) index.push(`  type ${type} = import('${module}').${type};`);
    index.push('}');
  }
  return {
    'wit.d.ts': `${HEADER}\n${interfaces.map(({ text }) => text).join('\n\n')}\n`.replace(/[ \t]+$/gm, ''),
    'index.ts': `${index.join('\n')}\n`,
  };
}

// Names of generated files that do not match the WIT files.
export async function stale(contract, folder) {
  const wrong = [];
  for (const [name, text] of Object.entries(generate(contract))) {
    if ((await readFile(path.join(folder, name), 'utf8').catch(() => '')) !== text) wrong.push(name);
  }
  return wrong;
}
