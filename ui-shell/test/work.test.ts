import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { sha256, solve } from '../src/members/work.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

it('the digest is SHA-256, whatever the length and the letters', () => {
  for (const text of ['', 'abc', 'x'.repeat(55), 'x'.repeat(56), 'é'.repeat(64), '验证码'.repeat(40), 'y'.repeat(1000)])
    expect(sha256(text), text.slice(0, 9)).toBe(digestOf(text));
});

it('a challenge is solved by the number that was chosen, up to the greatest one', async () => {
  for (const number of [0, 1, 4321, 20_000]) {
    const shares: number[] = [];
    const challenge = { algorithm: 'SHA-256', salt: 'a1', digest: digestOf(`a1${number}`).toUpperCase(), max: 20_000 };
    expect(await solve(challenge, new AbortController().signal, (share) => shares.push(share))).toBe(number);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  }
});

it('a challenge without a solution, of another algorithm, or that is given up, is an error', async () => {
  const { signal } = new AbortController();
  const challenge = { algorithm: 'SHA-256', salt: 'a', digest: digestOf('another'), max: 10 };
  await expect(solve(challenge, signal, vi.fn())).rejects.toThrow('no solution');
  await expect(solve({ ...challenge, algorithm: 'SHA-1' }, signal, vi.fn())).rejects.toThrow('SHA-1 is not supported');
  const control = new AbortController();
  const long = solve({ ...challenge, max: 10_000_000 }, control.signal, () => control.abort());
  await expect(long).rejects.toThrow('aborted');
});
