// Runs a built component in Node, so that tests can call its hooks.
import { mkdtemp, mkdir, rm, writeFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transpile } from '@bytecodealliance/jco';

export async function run(file, imports) {
  const folder = await mkdtemp(path.join(tmpdir(), 'masthead-run-'));
  try {
    const { files } = await transpile(await readFile(file), { name: 'plugin', instantiation: 'async', typescript: false });
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
    const { instantiate } = await import(pathToFileURL(path.join(folder, 'plugin.js')).href);
    const core = async (name) => WebAssembly.compile(await readFile(path.join(folder, name)));
    return await instantiate(core, imports);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
