// The rules of specification section 5. Each returns the key of what is wrong, or undefined; the host applies the same ones with the same messages.

const PASSWORD = { least: 8, most: 20 };
/** Shorter names are in many words. */
const LEAST_NAME = 3;

/** `names`: the names of the account for which the password is, as far as they are known: account name, number, what is before the `@`. */
export function passwordFault(password: string, ...names: (string | undefined)[]): string | undefined {
  if (!password) return 'password_required';
  const { length } = [...password];
  if (length < PASSWORD.least || length > PASSWORD.most) return 'password_length';
  if (/[\s\p{Cc}]/u.test(password)) return 'password_whitespace';
  if (![/[0-9]/, /\p{Uppercase}/u, /\p{Lowercase}/u].every((kind) => kind.test(password))) return 'password_characters';
  const lower = password.toLowerCase();
  const isIn = (name: string | undefined) => name && [...name].length >= LEAST_NAME && lower.includes(name.toLowerCase());
  return names.some(isIn) ? 'password_name' : undefined;
}

export const repeatFault = (password: string, repeated: string): string | undefined => (password === repeated ? undefined : 'password_mismatch');

/** Full-width and other forms of a character are the same character. */
const normal = (text: string) => text.trim().normalize('NFKC');

const isChinese = (digits: string) => /^1[2-9]\d{9}$/.test(digits);

/** A number with `+` or `00` and its country, or one of mainland China; spaces, hyphens, dots and brackets mean nothing. */
export function isPhone(text: string): boolean {
  const plain = normal(text).replace(/[ .()-]/g, '');
  const abroad = /^(?:\+|00)([1-9]\d{6,14})$/.exec(plain)?.[1];
  return abroad === undefined ? isChinese(plain) : !abroad.startsWith('86') || isChinese(abroad.slice(2));
}

const LABEL = /^(?!-)[\p{Alphabetic}\p{N}-]{1,63}(?<!-)$/u;

export function isEmail(text: string): boolean {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  const [local, labels] = [address.slice(0, at), address.slice(at + 1).split('.')];
  const isLocal = at > 0 && local.length <= 64 && !/[\s\p{Cc}"(),:;<>@[\\\]]/u.test(local) && local.split('.').every(Boolean);
  return isLocal && address.length <= 254 && labels.length > 1 && labels.every((label) => LABEL.test(label));
}

/** The name that a member chooses for the account. */
export function userNameFault(text: string): string | undefined {
  return /^\p{Alphabetic}[\p{Alphabetic}\p{N}._-]{1,39}$/u.test(normal(text)) ? undefined : 'name_format';
}

export function phoneFault(text: string): string | undefined {
  return isPhone(text.trim()) ? undefined : 'phone_format';
}

export function emailFault(text: string): string | undefined {
  if (!text.trim()) return 'email_needed';
  return isEmail(text.trim()) ? undefined : 'email_format';
}

/** A mobile number or an e-mail address, where either may be given. */
export const targetFault = (text: string): string | undefined => (text.includes('@') ? emailFault(text) : phoneFault(text));

export const codeFault = (code: string): string | undefined => (/^\d{6}$/.test(code.trim()) ? undefined : 'code_required');
