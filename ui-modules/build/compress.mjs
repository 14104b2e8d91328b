// Writes .br and .gz beside every text file of a build, so that the server never compresses.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export function compress(dir) {
  for (const name of readdirSync(dir, { recursive: true })) {
    if (!/\.(js|css|svg)$/.test(name) || name.includes('.vite')) continue;
    const file = path.join(dir, name);
    const content = readFileSync(file);
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    );
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === import.meta.filename) compress(path.resolve(process.argv[2] ?? 'dist'));
