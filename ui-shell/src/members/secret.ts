import type { Api } from '@masthead/ui-sdk';

/** A key of the host, for one password. */
export interface PublicKey {
  id: string;
  algorithm: string;
  /** The uncompressed point, in base64. */
  publicKey: string;
  expires: string;
}

/** A password in a body: as it is, or encrypted. */
export type Secret = string | { encrypted: { keyId: string; publicKey: string; iv: string; data: string } };

const ALGORITHM = 'ECDH-P256';
/** What the derived key is for; the host derives it with the same text. */
const INFO = 'masthead password';
const CURVE = { name: 'ECDH', namedCurve: 'P-256' };

export const toBase64 = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Encrypts a text with the host's key: ECDH with a key pair for this text only, HKDF-SHA-256, AES-256-GCM. */
export async function encrypt(text: string, key: PublicKey): Promise<Secret> {
  const { subtle } = crypto;
  const theirs = await subtle.importKey('raw', fromBase64(key.publicKey), CURVE, false, []);
  const own = await subtle.generateKey(CURVE, false, ['deriveBits']);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256);
  const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new TextEncoder().encode(key.id), info: new TextEncoder().encode(INFO) };
  const secret = await subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await subtle.encrypt({ name: 'AES-GCM', iv }, secret, new TextEncoder().encode(text));
  const publicKey = await subtle.exportKey('raw', own.publicKey);
  return { encrypted: { keyId: key.id, publicKey: toBase64(publicKey), iv: toBase64(iv), data: toBase64(data) } };
}

/**
 * A password for the body of a call: encrypted where the browser can (in secure contexts), so that neither a proxy that ends TLS nor a log of bodies
 * has it; else as it is. The connection protects it in both cases.
 */
export async function sealed(api: Api, password: string): Promise<Secret> {
  if (!globalThis.crypto?.subtle) return password;
  const key = await api.get<PublicKey>('/rc-pub/front/files/getPublicKey');
  return key.algorithm === ALGORITHM ? encrypt(password, key) : password;
}
