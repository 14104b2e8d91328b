// What modules may import is recorded for each version of the package: a module that was built with an older version finds what it asks for.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sdkIndex } from '../build/container.ts';
import { SDK_VERSION, SHARED_VERSIONS } from '../src/contract/version.ts';
import * as sdk from '../src/index.ts';

interface Recorded {
  values: string[];
  /** Of the version in use only: types are gone when a module is built. */
  types?: string[];
}

const frozen = path.resolve(import.meta.dirname, '../frozen');
const source = readFileSync(sdkIndex, 'utf8');

/** The record of a version; those with the same first two numbers have the same exports. */
const recordOf = (version: string) => `${version.split('.').slice(0, 2).join('.')}.json`;
const recorded = (version: string) => JSON.parse(readFileSync(path.join(frozen, recordOf(version)), 'utf8')) as Recorded;

/** The names that the index exports: of values, or of types. */
const namesOf = (kind: 'values' | 'types') =>
  [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)]
    .filter(([, type]) => (type !== undefined) === (kind === 'types'))
    .flatMap(([, , list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
    .sort();

it('the exports of the package are those that are recorded for its version: a change of them is a new version with a record of its own', () => {
  const { values, types = [] } = recorded(SDK_VERSION);
  expect(Object.keys(sdk).sort()).toEqual([...values].sort());
  expect(namesOf('values')).toEqual([...values].sort());
  expect(namesOf('types')).toEqual([...types].sort());
  // These forms would escape the lists.
  expect(source).not.toMatch(/^export (?!(type )?\{)/m);
});

it('each recorded version is shared, and the package has everything that it had', () => {
  expect(SHARED_VERSIONS.map(recordOf).sort()).toEqual(readdirSync(frozen).sort());
  for (const version of SHARED_VERSIONS) expect(Object.keys(sdk)).toEqual(expect.arrayContaining(recorded(version).values));
});
