/** WebAuthn as JSON, as the host sends and reads it: bytes are base64url texts. Not all browsers that have passkeys convert it themselves. */
type Json = Record<string, unknown>;

export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && typeof navigator.credentials?.get === 'function';

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

interface Descriptor extends Json {
  id: string;
}
const descriptors = (found: unknown) =>
  Array.isArray(found) ? (found as Descriptor[]).map((one) => ({ ...one, id: toBytes(one.id) }) as unknown as PublicKeyCredentialDescriptor) : [];

export interface Options {
  publicKey: Json & { challenge: string };
}

/** The browser's options for a new passkey, from those of the host. */
export function creationOf({ publicKey }: Options): PublicKeyCredentialCreationOptions {
  const { challenge, user, excludeCredentials, ...rest } = publicKey as Json & { challenge: string; user: Json & { id: string } };
  const own = { ...user, id: toBytes(user.id) };
  return {
    ...rest,
    challenge: toBytes(challenge),
    user: own,
    excludeCredentials: descriptors(excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
}

/** The browser's options for a sign-in, from those of the host. */
export function requestOf({ publicKey }: Options): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials, ...rest } = publicKey;
  return { ...rest, challenge: toBytes(challenge), allowCredentials: descriptors(allowCredentials) };
}

/** A credential as the host reads it. */
export function credentialJson(credential: PublicKeyCredential): Json {
  const response: Json = {};
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const) {
    const part = (credential.response as unknown as Record<string, ArrayBuffer | null | undefined>)[name];
    if (part) response[name] = toText(part);
  }
  const { getTransports } = credential.response as AuthenticatorAttestationResponse;
  if (getTransports) response['transports'] = getTransports.call(credential.response);
  return { id: credential.id, rawId: toText(credential.rawId), type: credential.type, response, extensions: credential.getClientExtensionResults() };
}

/** Whether the reader has closed the browser's dialog, or let it wait too long: nothing has gone wrong. */
export const wasGivenUp = (error: unknown): boolean => error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);

/** Has the browser make a passkey. */
export async function create(options: Options): Promise<Json> {
  const made = await navigator.credentials.create({ publicKey: creationOf(options) });
  if (!(made instanceof PublicKeyCredential)) throw new DOMException('no passkey was made', 'NotAllowedError');
  return credentialJson(made);
}

/** Has the browser sign with a passkey. */
export async function ask(options: Options): Promise<Json> {
  const found = await navigator.credentials.get({ publicKey: requestOf(options) });
  if (!(found instanceof PublicKeyCredential)) throw new DOMException('no passkey was used', 'NotAllowedError');
  return credentialJson(found);
}
