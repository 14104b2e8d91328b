/** The first 64 primes, from which the constants of SHA-256 follow (FIPS 180-4, 4.2.2 and 5.3.3). */
const PRIMES = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));
/** The first 32 bits of the fractional part. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const BEGIN = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));
const words = new Int32Array(64);

/** Takes one block of 64 bytes into `state`. */
function compress(state: Int32Array, block: DataView, at: number): void {
  for (let i = 0; i < 64; i += 1) {
    if (i < 16) {
      words[i] = block.getInt32(at + 4 * i);
      continue;
    }
    const [w15, w2] = [words[i - 15] as number, words[i - 2] as number];
    const s0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3);
    const s1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10);
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + (words[i] as number)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = ((state[i] as number) + word) | 0));
}

/**
 * SHA-256 of a text, in hexadecimal. That of the browser exists in secure contexts only, and a promise for each of some 100,000 short texts takes
 * far longer than the digest itself.
 */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = BEGIN.slice();
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** What is to be found: the number up to `max` whose digits behind `salt` have this SHA-256 digest. */
export interface Challenge {
  algorithm: string;
  salt: string;
  digest: string;
  max: number;
}

/** Time in ms for which numbers are tried before the page may react to the reader again. */
const SLICE_MS = 12;
/** How many numbers are tried between two looks at the clock. */
const BATCH = 200;

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Solves a challenge by trial, without holding up the page. `tell` learns the share of the numbers that were tried. Rejects if there is no solution. */
export async function solve({ algorithm, salt, digest, max }: Challenge, signal: AbortSignal, tell: (share: number) => void): Promise<number> {
  if (algorithm !== 'SHA-256') throw new Error(`${algorithm} is not supported: load the page again for its present scripts`);
  const wanted = digest.toLowerCase();
  let since = performance.now();
  for (let number = 0; number <= max; number += 1) {
    if (sha256(salt + String(number)) === wanted) return number;
    if (number % BATCH || performance.now() - since < SLICE_MS) continue;
    tell(number / max);
    await pause();
    signal.throwIfAborted();
    since = performance.now();
  }
  throw new Error('the challenge has no solution: ask for another one');
}
