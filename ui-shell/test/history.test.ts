import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { createHistory, entryIndex, entryKey, useHistory } from '../src/browser/history.ts';

beforeEach(() => history.replaceState(null, '', '/en/home'));

it('begins with the entry that the browser made, with the key that a reload kept', () => {
  expect(createHistory().entry()).toEqual({ pathname: '/en/home', search: '', hash: '', key: 'default', action: 'POP' });
  history.replaceState({ key: 'kept' }, '', '/en/search?q=a#top');
  expect(createHistory().entry()).toEqual({ pathname: '/en/search', search: '?q=a', hash: '#top', key: 'kept', action: 'POP' });
});

it('goes to an address in a new entry, or in the present one', () => {
  const before = history.length;
  const { result } = renderHook(useHistory);
  act(() => result.current[1]('/en/issue?year=2026#a'));
  expect(result.current[0]).toMatchObject({ pathname: '/en/issue', search: '?year=2026', hash: '#a', action: 'PUSH' });
  const { key } = result.current[0];
  expect(key).toMatch(/^[a-z0-9]+$/);
  expect(entryKey()).toBe(key);
  act(() => result.current[1]('/en/issues', { replace: true }));
  expect(result.current[0]).toMatchObject({ pathname: '/en/issues', search: '', hash: '', action: 'REPLACE' });
  expect(result.current[0].key).not.toBe(key);
  expect(history.length).toBe(before + 1);
});

it('follows the reader back and forward, each entry with its key', async () => {
  const { result } = renderHook(useHistory);
  const go = (to: string) => act(() => result.current[1](to));
  go('/en/a');
  const { key } = result.current[0];
  go('/en/b');
  history.back();
  await waitFor(() => expect(result.current[0]).toMatchObject({ pathname: '/en/a', action: 'POP', key }));
  history.forward();
  await waitFor(() => expect(result.current[0]).toMatchObject({ pathname: '/en/b', action: 'POP' }));
});

it('makes a difference between two entries of one address', () => {
  const { result } = renderHook(useHistory);
  act(() => result.current[1]('/en/a'));
  const first = result.current[0];
  act(() => result.current[1]('/en/a'));
  expect(result.current[0]).not.toBe(first);
  expect(result.current[0].key).not.toBe(first.key);
});

it('stops listening with its last listener', () => {
  const own = createHistory();
  const listener = vi.fn();
  const stop = own.subscribe(listener);
  history.replaceState({ key: 'a' }, '');
  dispatchEvent(new PopStateEvent('popstate'));
  expect(listener).toHaveBeenCalledOnce();
  stop();
  history.replaceState({ key: 'b' }, '');
  dispatchEvent(new PopStateEvent('popstate'));
  expect(listener).toHaveBeenCalledOnce();
});

it('counts the entries, so that one can be returned to', async () => {
  const { result } = renderHook(useHistory);
  const first = entryIndex() ?? NaN;
  act(() => result.current[1]('/en/a'));
  expect(entryIndex()).toBe(first + 1);
  act(() => result.current[1]('/en/b', { replace: true }));
  expect(entryIndex()).toBe(first + 1);
  history.back();
  await waitFor(() => expect(entryIndex()).toBe(first));
  // A fragment that the reader typed has no state.
  history.pushState(null, '', '#a');
  expect(entryIndex()).toBeUndefined();
});

it('leaves an entry that a tool of the page made to the tool', async () => {
  const { result } = renderHook(useHistory);
  act(() => result.current[1]('/en/a'));
  const page = result.current[0];
  const popped = () => new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  history.pushState({ ...history.state, viewer: true }, '', '/en/a#view-f1');
  history.back();
  await popped();
  expect(result.current[0]).toBe(page);
  history.forward();
  await popped();
  expect(location.hash).toBe('#view-f1');
  expect(result.current[0]).toBe(page);
});
