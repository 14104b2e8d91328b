// The recorded pages, with which the tests of the shell run, are what the host serves now.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folder, recordPages } from './pages.mjs';

test('the recorded pages equal those of the host (npm run record -w @masthead/browser-tests writes them again)', async () => {
  const kept = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
  const served = await recordPages();
  assert.deepEqual(Object.keys(kept).sort(), Object.keys(served).sort());
  for (const [name, text] of Object.entries(served)) assert.equal(kept[name], text, name);
});
