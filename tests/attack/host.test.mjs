// The helpers of the attacks; `make test-ui` runs this.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inParallel } from './host.mjs';

it('a result is kept, whatever the requests that end after it return', async () => {
  let release;
  const later = new Promise((resolve) => (release = resolve));
  const found = await inParallel(['late', 'hit'], (item) => {
    if (item === 'late') return later;
    setImmediate(release);
    return 'hit';
  });
  assert.equal(found, 'hit');
});

it('nothing found is undefined, and every item was tried', async () => {
  const tried = [];
  assert.equal(await inParallel(['a', 'b', 'c'], async (item) => void tried.push(item)), undefined);
  assert.deepEqual(tried, ['a', 'b', 'c']);
});
