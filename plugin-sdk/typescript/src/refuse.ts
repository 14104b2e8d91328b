/** An expected refusal. The generated bindings turn `payload` into the error of the hook's `result`. */
export class Refusal extends Error {
  readonly payload: unknown;

  constructor(reason: unknown) {
    super(typeof reason === 'string' ? reason : JSON.stringify(reason));
    this.payload = reason;
  }
}

/**
 * Ends the hook's call with a refusal in words: the host goes on as if the plugin were not there, and logs the reason.
 * Where a hook has refusals of its own, such as `Translate.Failure`, one of these may be given; words are its `other`.
 */
export function refuse(reason: string | { tag: string; val?: unknown }): never {
  throw new Refusal(reason);
}
