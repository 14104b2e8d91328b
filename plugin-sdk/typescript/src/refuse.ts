/** An expected refusal. The generated bindings turn `payload` into the error of the hook's `result`. */
export class Refusal extends Error {
  readonly payload: string;

  constructor(reason: string) {
    super(reason);
    this.payload = reason;
  }
}

/** Ends the hook's call with a refusal in words: the host goes on as if the plugin were not there, and logs the reason. */
export function refuse(reason: string): never {
  throw new Refusal(reason);
}
