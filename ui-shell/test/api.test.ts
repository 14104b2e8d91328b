import { afterEach, expect, it, vi } from 'vitest';
import { aheadOf, fetchPage, fleeting } from '../src/calls/api.ts';
import { pageOf } from './fixture.ts';

afterEach(() => vi.unstubAllGlobals());

it('a page that is fetched ahead says so, and one that nobody may keep is known by its answer', async () => {
  const sent: Record<string, string>[] = [];
  let caching = 'private, no-cache';
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers);
    return new Response(JSON.stringify({ status: 0, message: '', data: { title: 'page' } }), { headers: { 'cache-control': caching } });
  });
  const { bootstrap } = pageOf('article');
  const shown = await fetchPage(bootstrap, '/en/issue');
  const ahead = await fetchPage(bootstrap, '/en/issue', undefined, true);
  caching = 'private, no-store';
  const secret = await fetchPage(bootstrap, '/en/issue', undefined, true);
  expect(sent.map((headers) => headers['purpose'])).toEqual([undefined, 'prefetch', 'prefetch']);
  expect([shown, ahead, secret].map((page) => [aheadOf.has(page), fleeting.has(page)])).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});
