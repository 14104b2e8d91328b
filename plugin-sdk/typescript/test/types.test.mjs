import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { deriveWorld, worldText } from '../build.mjs';
import { readContract, stale } from '../wit.mjs';

const sdk = path.resolve(import.meta.dirname, '..');
const contract = await readContract(path.join(sdk, '../wit'));

test('the committed types match plugin-sdk/wit', async () => {
  assert.deepEqual(await stale(contract, path.join(sdk, 'src/generated')), [], 'run `npm run types -w @masthead/plugin` and commit what it writes');
});

test('a world exports the listed hooks and imports the listed capabilities', () => {
  const world = deriveWorld(contract, { hooks: ['links.rewrite', 'access.decide'], capabilities: ['settings'] });
  assert.equal(worldText(world), 'world built-plugin {\n    import settings;\n    export links;\n    export access;\n}\n');
});

test('two hooks of one interface export it once, and an interface may have the full name of its hook', () => {
  const world = deriveWorld(contract, { hooks: ['identity.begin', 'identity.complete', 'settings.check'], capabilities: [] });
  assert.deepEqual(
    world.exported.map(({ name }) => name),
    ['identity', 'settings-check'],
  );
});

test('unknown names are rejected with a list of the known ones', () => {
  assert.throws(
    () => deriveWorld(contract, { hooks: ['links.shorten'], capabilities: [] }),
    /links\.shorten is not a hook of this contract; known are .*links\.rewrite.*settings\.check/,
  );
  assert.throws(
    () => deriveWorld(contract, { hooks: ['links.rewrite'], capabilities: ['files'] }),
    /files is not a capability of this contract; known are .*log.*settings/,
  );
});

test('every hook of the contract can be listed', () => {
  for (const { functions, name } of contract.hooks.values()) assert.ok(functions.length > 0, name);
  const message = (() => {
    try {
      deriveWorld(contract, { hooks: ['no.hook'], capabilities: [] });
    } catch (error) {
      return error.message;
    }
  })();
  const hooks = message.split('known are ')[1].split(', ');
  assert.equal(deriveWorld(contract, { hooks, capabilities: [...contract.capabilities.keys()] }).exported.length, contract.hooks.size);
});
