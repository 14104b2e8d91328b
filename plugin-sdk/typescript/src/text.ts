// UTF-8 and Base64, which the plugin engine does not provide.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}

/** Encodes a string as UTF-8, for example for the body of a request. */
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Decodes UTF-8, for example the body of a response. */
export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Base64url (RFC 4648 section 5) without padding. */
export function base64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | (b << 8) | c;
    const letters = [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]).join('');
    text += letters.slice(0, Math.min(3, bytes.length - at) + 1);
  }
  return text;
}
