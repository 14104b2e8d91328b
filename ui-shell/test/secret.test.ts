// @vitest-environment node
import type { Api } from '@masthead/ui-sdk';
import { afterEach, expect, it, vi } from 'vitest';
import { fromBase64, sealed, toBase64, type Secret } from '../src/members/secret.ts';

const { subtle } = crypto;
const bytes = (text: string) => new TextEncoder().encode(text);

type Encrypted = Exclude<Secret, string>['encrypted'];

/** Opens what was encrypted, as the host does (host/accounts/src/keys). */
async function open({ keyId, iv, data }: Encrypted, key: CryptoKey): Promise<string> {
  const plain = await subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv), additionalData: bytes(keyId) }, key, fromBase64(data));
  return new TextDecoder().decode(plain);
}

const apiWith = (answers: Record<string, object>): Api => ({ get: async (path: string) => answers[path] }) as unknown as Api;

afterEach(() => vi.unstubAllGlobals());

it('a password of somebody who is not signed in can be opened with the private key of the host only, and differs each time', async () => {
  const host = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const publicKey = toBase64(await subtle.exportKey('raw', host.publicKey));
  const api = apiWith({ '/rc-pub/front/files/getPublicKey': { id: 'p7', algorithm: 'ECDH-P256', publicKey } });
  const secrets = await sealed(api, ['Tide7xQk', '潮汐Tide7xQk']);
  const opened = secrets.map(async (secret) => {
    const { encrypted } = secret as Exclude<Secret, string>;
    const theirs = await subtle.importKey('raw', fromBase64(encrypted.publicKey ?? ''), { name: 'ECDH', namedCurve: 'P-256' }, false, []);
    const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, host.privateKey, 256);
    const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytes('masthead/password/p7') };
    return open(encrypted, await subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['decrypt']));
  });
  expect(await Promise.all(opened)).toEqual(['Tide7xQk', '潮汐Tide7xQk']);
  expect(JSON.stringify(secrets)).not.toContain('Tide');
  expect(await sealed(api, ['Tide7xQk'])).not.toEqual(await sealed(api, ['Tide7xQk']));
});

it('a password of somebody who is signed in is encrypted with the key of the session', async () => {
  const raw = crypto.getRandomValues(new Uint8Array(32));
  const api = apiWith({ '/rc-pub/front/files/getAesKey': { id: 's7', algorithm: 'AES-GCM', key: toBase64(raw) } });
  const [secret] = (await sealed(api, ['Tide7xQk'], true)) as Exclude<Secret, string>[];
  expect(secret?.encrypted.publicKey).toBeUndefined();
  expect(await open(secret?.encrypted as Encrypted, await subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']))).toBe('Tide7xQk');
});

it('where the browser cannot encrypt, or the host asks for something that it does not know, the connection alone protects the password', async () => {
  const api = apiWith({ '/rc-pub/front/files/getPublicKey': { id: 'p7', algorithm: 'RSA', publicKey: '' } });
  expect(await sealed(api, ['Tide7xQk'])).toEqual(['Tide7xQk']);
  vi.stubGlobal('crypto', { getRandomValues: () => undefined });
  expect(await sealed(apiWith({}), ['Tide7xQk'], true)).toEqual(['Tide7xQk']);
});
