import { describe, expect, it } from 'vitest';
import { codeFault, emailFault, isEmail, isPhone, passwordFault, phoneFault, repeatFault, targetFault, userNameFault } from '../src/members/validation.ts';

describe('a password', () => {
  // The host's own cases (host/accounts/src/password/rules.rs), except for common passwords, of which the host alone has a list.
  it.each([
    ['', 'password_required'],
    ['Tide7xQ', 'password_length'],
    ['Tide7xQkTide7xQkTide7', 'password_length'],
    ['潮汐潮汐Ti7', 'password_length'],
    ['Tide 7xQk', 'password_whitespace'],
    ['Tide\u30007xQk', 'password_whitespace'],
    ['Tide\u00007xQk', 'password_whitespace'],
    ['tide7xqk', 'password_characters'],
    ['TIDE7XQK', 'password_characters'],
    ['TideRxQkB', 'password_characters'],
    ['TideOcean7', 'password_name'],
    ['7oCeAn7x', 'password_name'],
    ['Zx13812345678', 'password_name'],
  ])('%j is refused: %s', (password, fault) => {
    expect(passwordFault(password, 'ocean', '13812345678', '', undefined)).toBe(fault);
  });

  it.each(['Tide7xQk', 'Tide7xQkTide7xQkTide', '潮汐Tide7xQk', '7xQ!#€ßaB', '潮汐潮汐潮汐潮汐潮汐潮汐潮汐潮汐潮Ti7'])('%j is accepted', (password) => {
    expect(passwordFault(password, 'ocean', 'ab', '')).toBeUndefined();
  });

  it('is repeated as it is', () => {
    expect([repeatFault('Tide7xQk', 'Tide7xQk'), repeatFault('Tide7xQk', 'tide7xQk')]).toEqual([undefined, 'password_mismatch']);
  });
});

it.each([
  ['13812345678', true],
  ['138 1234-5678', true],
  ['１３８１２３４５６７８', true],
  ['+86 138 1234 5678', true],
  ['0086 13812345678', true],
  ['+44 7700 900123', true],
  ['+4477', false],
  ['+012345678', false],
  ['+86 12', false],
  ['11012345678', false],
  ['1381234567', false],
  ['447700900123', false],
  ['', false],
  ['138x1234567', false],
])('%j is a mobile number: %s', (text, expected) => {
  expect(isPhone(text)).toBe(expected);
  expect(phoneFault(text)).toBe(expected ? undefined : 'phone_format');
});

it.each([
  ['lin@press.example', true],
  [' lin.wei+a@mail.press.example ', true],
  ['李伟@期刊.example', true],
  ['lin@press', false],
  ['@press.example', false],
  ['lin@', false],
  ['lin..wei@press.example', false],
  ['lin@-press.example', false],
  ['lin@press..example', false],
  ['lin wei@press.example', false],
  ['"lin"@press.example', false],
  ['lin@press.example\r\nBcc: all@press.example', false],
  [`${'a'.repeat(65)}@press.example`, false],
  [`lin@${'a.'.repeat(130)}example`, false],
])('%j is an e-mail address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});

it('says what is missing, and what is wrong', () => {
  expect([emailFault(' '), emailFault('lin'), emailFault('lin@press.example')]).toEqual(['email_needed', 'email_format', undefined]);
  expect([targetFault('lin@'), targetFault('138'), targetFault('13812345678')]).toEqual(['email_format', 'phone_format', undefined]);
  expect([codeFault(''), codeFault('12345'), codeFault(' 123456 ')]).toEqual(['code_required', 'code_required', undefined]);
  for (const name of ['lin', '林伟', 'lin.wei_2-a', 'Ｌｉｎ']) expect(userNameFault(name), name).toBeUndefined();
  for (const name of ['', 'l', '2lin', 'lin@press', 'lin wei', '<b>', 'a'.repeat(41)]) expect(userNameFault(name), name).toBe('name_format');
});
