import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check, isAllowed, licenceOf, shipped } from './npm.mjs';

const rules = {
  shipped: ['MIT'],
  tools: ['MIT', 'MPL-2.0', 'Apache-2.0 WITH LLVM-exception'],
  stated: { silent: { licence: 'MIT', reason: 'the file LICENSE says so' } },
};
const entry = (license, more = {}) => ({ version: '1.0.0', license, integrity: 'sha512-x', ...more });
const lock = (packages) => ({ packages: { '': {}, 'ui-shell': { dependencies: { loaded: '1.0.0' } }, ...packages } });
const faults = (packages, installed) => check(lock(packages), rules, installed).flatMap((row) => row.fault ?? []);

describe('licences of npm packages', () => {
  it('accepts what the list allows', () => {
    const packages = { 'node_modules/a': entry('MIT'), 'node_modules/b': entry('(GPL-3.0-only OR MIT)'), 'node_modules/silent': entry(undefined) };
    assert.deepEqual(faults(packages), []);
  });

  for (const licence of [
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'MIT AND GPL-2.0-only',
    'SSPL-1.0',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE.txt',
    '(MIT',
    '',
    undefined,
  ]) {
    it(`refuses a package with the licence ${licence}`, () => assert.equal(faults({ 'node_modules/a': entry(licence) }).length, 1));
  }

  it('asks more of what readers load than of tools', () => {
    assert.deepEqual(faults({ 'node_modules/tool': entry('MPL-2.0') }), []);
    assert.match(faults({ 'node_modules/loaded': entry('MPL-2.0') })[0], /readers load/);
  });

  it('follows the dependencies of what readers load, the nearest first', () => {
    const packages = {
      ...lock({}).packages,
      'node_modules/loaded': entry('MIT', { dependencies: { deep: '2.0.0' } }),
      'node_modules/loaded/node_modules/deep': entry('MPL-2.0', { dependencies: { next: '1.0.0' } }),
      'node_modules/loaded/node_modules/next': entry('MIT'),
      'node_modules/deep': entry('MIT'),
      'node_modules/next': entry('MIT'),
    };
    const places = ['loaded', 'loaded/node_modules/deep', 'loaded/node_modules/next'].map((name) => `node_modules/${name}`);
    assert.deepEqual([...shipped(packages)], ['ui-shell', ...places]);
    assert.equal(check({ packages }, rules).filter((row) => row.fault).length, 1);
  });

  it('refuses packages from elsewhere, without a digest, and with another licence than the lock file names', () => {
    assert.match(faults({ 'node_modules/a': entry('MIT', { resolved: 'git+ssh://git@github.com/x/y.git#1' }) })[0], /not from the registry/);
    assert.match(faults({ 'node_modules/a': entry('MIT', { integrity: undefined }) })[0], /digest/);
    assert.match(faults({ 'node_modules/a': entry('MIT') }, () => 'MPL-2.0')[0], /package-lock.json says MIT/);
  });

  it('reads expressions', () => {
    assert.equal(isAllowed('(Apache-2.0 WITH LLVM-exception)', rules.tools), true);
    assert.equal(isAllowed('Apache-2.0', rules.tools), false);
    assert.equal(isAllowed('MIT AND (MPL-2.0 OR GPL-2.0-only)', rules.tools), true);
    assert.throws(() => isAllowed('MIT OR', rules.tools));
    assert.equal(licenceOf({ licenses: [{ type: 'MIT' }, { type: 'GPL-2.0-only' }] }), 'MIT OR GPL-2.0-only');
  });
});
