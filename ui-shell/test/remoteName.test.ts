// @vitest-environment node
import { expect, it } from 'vitest';
import { remoteName } from '../src/loader/remoteName.ts';

const name = (module: string, entry: string) => remoteName({ module, entry });

it('is an identifier, another one for each version of a module, and the same for the same script', () => {
  const first = name('harbour-nav', '/assets/modules/harbour-nav/0123456789abcdef/assets/harbour-nav-a1.js');
  expect(first).toMatch(/^\w+$/);
  expect(name('harbour-nav', '/assets/modules/harbour-nav/fedcba9876543210/assets/harbour-nav-a1.js')).not.toBe(first);
  expect(name('harbour-nav', '/assets/modules/harbour-nav/0123456789abcdef/assets/harbour-nav-a1.js')).toBe(first);
});
