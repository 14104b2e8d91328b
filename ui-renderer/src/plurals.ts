type Rule = (n: number) => Intl.LDMLPluralRule;

const whole = Number.isInteger;
const other: Rule = () => 'other';
/** Romance languages have a form for whole millions. */
const millions = (n: number) => whole(n) && n !== 0 && n % 1_000_000 === 0;

const CARDINAL: Record<string, Rule> = {
  en: (n) => (n === 1 ? 'one' : 'other'),
  de: (n) => (n === 1 ? 'one' : 'other'),
  es: (n) => (n === 1 ? 'one' : millions(n) ? 'many' : 'other'),
  fr: (n) => (Math.abs(n) < 2 ? 'one' : millions(n) ? 'many' : 'other'),
  ru: (n) => {
    if (!whole(n)) return 'other';
    const [ten, hundred] = [Math.abs(n) % 10, Math.abs(n) % 100];
    if (ten === 1 && hundred !== 11) return 'one';
    return ten >= 2 && ten <= 4 && (hundred < 12 || hundred > 14) ? 'few' : 'many';
  },
  ar: (n) => {
    const hundred = Math.abs(n) % 100;
    if (n === 0 || n === 1 || n === 2) return n === 0 ? 'zero' : n === 1 ? 'one' : 'two';
    if (!whole(n)) return 'other';
    return hundred >= 3 && hundred <= 10 ? 'few' : hundred >= 11 ? 'many' : 'other';
  },
};
const ORDINAL: Record<string, Rule> = {
  en: (n) => {
    const [ten, hundred] = [n % 10, n % 100];
    if (ten === 1 && hundred !== 11) return 'one';
    if (ten === 2 && hundred !== 12) return 'two';
    return ten === 3 && hundred !== 13 ? 'few' : 'other';
  },
  fr: (n) => (n === 1 ? 'one' : 'other'),
};

/** `Intl.PluralRules` for the languages of the host (CLDR 48), which is all of `Intl` that messages need. */
export class PluralRules {
  readonly #rule: Rule;
  constructor(tag = 'en', { type = 'cardinal' }: Intl.PluralRulesOptions = {}) {
    const language = tag.split('-')[0] ?? '';
    this.#rule = (type === 'ordinal' ? ORDINAL : CARDINAL)[language] ?? other;
  }
  select(n: number): Intl.LDMLPluralRule {
    return this.#rule(n);
  }
}
