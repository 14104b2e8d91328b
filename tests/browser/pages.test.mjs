// The recorded pages, with which the tests of the shell run, are what the host serves now.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folder, recordPages } from './pages.mjs';

test('the recorded pages equal those of the host (npm run record -w @masthead/browser-tests writes them again)', async () => {
  const pages = await recordPages();
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys(pages)
      .map((name) => `${name}.html`)
      .sort(),
  );
  for (const [name, html] of Object.entries(pages)) assert.equal(readFileSync(path.join(folder, `${name}.html`), 'utf8'), html, name);
});
