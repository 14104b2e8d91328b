import type { Api } from '@masthead/ui-sdk';

/** A password in a body: as it is, or encrypted. */
export type Secret = string | { encrypted: { keyId: string; publicKey?: string; iv: string; data: string } };

/** The host's key for passwords of readers who are not signed in. */
export interface PublicKey {
  id: string;
  algorithm: string;
  /** The uncompressed point, in base64. */
  publicKey: string;
}

/** The key of a session. */
interface SessionKey {
  id: string;
  algorithm: string;
  /** In base64. */
  key: string;
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' };
/** What the key derived from a shared secret is for, before the id of the host's key. */
const USE = 'masthead/password/';

export const toBase64 = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** AES-256-GCM with the id of the host's key as additional data. */
async function locked(text: string, key: CryptoKey, keyId: string): Promise<{ keyId: string; iv: string; data: string }> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(keyId) }, key, bytesOf(text));
  return { keyId, iv: toBase64(iv), data: toBase64(data) };
}

/** Encrypts for the host's public key: ECDH with a key pair for this text only, then HKDF-SHA-256. */
export async function encryptFor({ id, publicKey }: PublicKey, text: string): Promise<Secret> {
  const { subtle } = crypto;
  const theirs = await subtle.importKey('raw', fromBase64(publicKey), CURVE, false, []);
  const own = await subtle.generateKey(CURVE, false, ['deriveBits']);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256);
  const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytesOf(USE + id) };
  const key = await subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  return { encrypted: { ...(await locked(text, key, id)), publicKey: toBase64(await subtle.exportKey('raw', own.publicKey)) } };
}

/**
 * Passwords for the body of a call: encrypted where the browser can (in secure contexts), so that what stands between browser and host, or writes
 * bodies to a log, has none; else as they are. The connection protects them in both cases. Who is signed in has a key of the session.
 */
export async function sealed(api: Api, passwords: string[], signedIn = false): Promise<Secret[]> {
  if (!globalThis.crypto?.subtle) return passwords;
  if (signedIn) {
    const { id, algorithm, key } = await api.get<SessionKey>('/rc-pub/front/files/getAesKey');
    if (algorithm !== 'AES-GCM') return passwords;
    const imported = await crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['encrypt']);
    return Promise.all(passwords.map(async (password) => ({ encrypted: await locked(password, imported, id) })));
  }
  const key = await api.get<PublicKey>('/rc-pub/front/files/getPublicKey');
  return key.algorithm === 'ECDH-P256' ? Promise.all(passwords.map((password) => encryptFor(key, password))) : passwords;
}
