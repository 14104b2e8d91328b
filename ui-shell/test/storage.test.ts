import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetMemory, read, write } from '../src/browser/storage.ts';

const refuse = (name: string) => () => {
  throw new DOMException('refused', name);
};

afterEach(() => {
  vi.restoreAllMocks();
  forgetMemory();
  localStorage.clear();
  sessionStorage.clear();
});

it('keeps values as JSON in the storage of the browser', () => {
  expect(write('local', 'a', { x: 1 })).toBe(true);
  expect(localStorage.getItem('a')).toBe('{"x":1}');
  expect(read('local', 'a', { x: 0 })).toEqual({ x: 1 });
  expect(read('session', 'a', { x: 0 })).toEqual({ x: 0 });
});

it.each(['5', '"x"', '[1]', 'null', '{', '', 'open'])('takes the usual value for %s, which is not of its type', (text) => {
  localStorage.setItem('a', text);
  expect(read('local', 'a', { usual: true })).toEqual({ usual: true });
});

describe.each([
  ['cannot be had', () => vi.spyOn(window, 'localStorage', 'get').mockImplementation(refuse('SecurityError'))],
  ['is full', () => vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse('QuotaExceededError'))],
  ['cannot be read', () => vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse('SecurityError'))],
  ['forgets', () => vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => undefined)],
])('a storage that %s', (_, fail) => {
  it('is replaced by memory, and the caller is told', () => {
    fail();
    expect(read('local', 'a', 1)).toBe(1);
    expect(write('local', 'a', 2)).toBe(false);
    expect(read('local', 'a', 1)).toBe(2);
    forgetMemory();
    expect(read('local', 'a', 1)).toBe(1);
  });
});

it('takes a value from the storage again once that has taken one', () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse('QuotaExceededError'));
  write('local', 'a', 2);
  full.mockRestore();
  expect(write('local', 'a', 3)).toBe(true);
  localStorage.setItem('a', '4');
  expect(read('local', 'a', 1)).toBe(4);
});
