/** An expected refusal. The generated bindings turn `payload` into the error of the hook's `result`. */
export class Refusal extends Error {
  readonly payload: unknown;

  constructor(reason: unknown) {
    super(typeof reason === 'string' ? reason : JSON.stringify(reason));
    this.payload = reason;
  }
}

/**
 * Ends the call of the hook with a refusal: the host logs the reason and continues as if the plugin were not there.
 * A hook with a refusal type of its own, such as `Translate.Failure`, also takes a value of that type; a string becomes its case `other`.
 */
export function refuse(reason: string | { tag: string; val?: unknown }): never {
  throw new Refusal(reason);
}
