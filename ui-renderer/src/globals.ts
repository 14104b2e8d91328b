// What a script expects of its surroundings and QuickJS lacks. There is no document: a module that asks for one fails, and the host's markup
// takes its place.
import 'core-js/web/url';
import 'core-js/web/url-search-params';
import { PluralRules } from './plurals.ts';

const silent = () => undefined;
const surroundings = globalThis as unknown as Record<string, unknown>;
surroundings['console'] ??= { log: silent, info: silent, debug: silent, warn: silent, error: silent, trace: silent };
// Rendering is one task: nothing that was put off until later happens.
surroundings['setTimeout'] ??= () => 0;
surroundings['clearTimeout'] ??= silent;
surroundings['Intl'] ??= { PluralRules };

const denied = (what: string) => (): never => {
  throw new Error(`${what} differs from one call to the next: use it in an effect, after the page is shown`);
};

/** Takes away what would make two renderings of the same differ. Called when the packages, which may use it, have started. */
export function denyClockAndChance(): void {
  const Real = Date;
  const now = denied('the time');
  class GivenDate extends Real {
    constructor(...given: unknown[]) {
      if (!given.length) now();
      super(...(given as [number]));
    }
    static override now = now;
  }
  globalThis.Date = GivenDate as unknown as DateConstructor;
  Math.random = denied('a random number');
}
