// The rules of specification section 5. Each returns the key of what is wrong, or undefined; the host applies the same ones with the same messages.

const PASSWORD = { least: 8, most: 20 };

/** `names`: the account name of whom the password is for, in every form that is known. */
export function passwordFault(password: string, ...names: (string | undefined)[]): string | undefined {
  if (!password) return 'password_required';
  const { length } = [...password];
  const hasAll = [/[0-9]/, /[A-Z]/, /[a-z]/].every((kind) => kind.test(password));
  if (length < PASSWORD.least || length > PASSWORD.most || !hasAll || /\s/.test(password)) return 'password_rules';
  const lower = password.toLowerCase();
  return names.some((name) => name && lower.includes(name.toLowerCase())) ? 'password_has_name' : undefined;
}

export const repeatFault = (password: string, repeated: string): string | undefined => (password === repeated ? undefined : 'password_mismatch');

/** Digits with a country's prefix, or a number of mainland China without one; spaces, hyphens and brackets mean nothing. */
export const isPhone = (text: string): boolean => /^(\+[1-9]\d{6,14}|(\+?86)?1[3-9]\d{9})$/.test(text.replace(/[\s()-]/g, ''));

export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>"(),:;[\]\\]{1,64}@([^\s@.,<>"():;[\]\\_]{1,63}\.)+[^\s@.,<>"():;[\]\\_]{2,63}$/.test(text);

export function phoneFault(text: string): string | undefined {
  return isPhone(text.trim()) ? undefined : 'phone_format';
}

export function emailFault(text: string): string | undefined {
  if (!text.trim()) return 'email_required';
  return isEmail(text.trim()) ? undefined : 'email_format';
}

/** A mobile number or an e-mail address, where either may be given. */
export const targetFault = (text: string): string | undefined => (text.includes('@') ? emailFault(text) : phoneFault(text));

export const codeFault = (code: string): string | undefined => (/^\d{6}$/.test(code.trim()) ? undefined : 'code_required');
