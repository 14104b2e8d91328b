import { expect, it } from 'vitest';
import { PluralRules } from '../src/plurals.ts';

const NUMBERS = [...Array(300).keys(), 1000, 1001, 1_000_000, 2_000_000, 1_000_001, 0.5, 1.5];

it.each(['zh', 'en', 'ru', 'ar', 'es', 'fr', 'de', 'ja', 'ko'])('chooses the forms of %s that browsers choose', (tag) => {
  for (const type of ['cardinal', 'ordinal'] as const) {
    const [own, browser] = [new PluralRules(tag, { type }), new Intl.PluralRules(tag, { type })];
    const different = NUMBERS.filter((n) => own.select(n) !== browser.select(n));
    expect([type, different]).toEqual([type, []]);
  }
});
