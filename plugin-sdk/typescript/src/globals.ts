// JavaScript's functions for time and random numbers are mapped to the capabilities `clock` and `random`. Those of the engine would end
// the call with a trap (time) or return the same numbers in every instance (random numbers).

/** Replaces `Date`, `performance.now` and `Math.random`, before the plugin's own modules run. */
export function install(time: () => number, random: () => number): void {
  class HostDate extends Date {
    constructor(...values: []) {
      super(...(values.length === 0 ? ([time()] as unknown as []) : values));
    }

    static override now(): number {
      return time();
    }
  }
  Object.defineProperty(HostDate, 'name', { value: 'Date' });
  Object.assign(globalThis, { Date: HostDate, performance: { now: time } });
  Math.random = random;
  // Timers would end a call with a trap, `crypto` would return the same numbers in every instance, and HTTP is a capability.
  for (const name of ['crypto', 'fetch', 'setTimeout', 'setInterval']) Reflect.deleteProperty(globalThis, name);
}

/** Replaces a function whose capability the manifest does not request. */
export function missing(what: string, capability: string): () => never {
  return () => {
    throw new Error(`${what} needs the capability \`${capability}\` in plugin.toml`);
  };
}

/** 52 random bits of the host as a number in [0, 1). */
export function fraction(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return ((view.getUint32(0) & 0xfffff) * 2 ** 32 + view.getUint32(4)) / 2 ** 52;
}
