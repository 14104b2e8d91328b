import type { Api } from '@masthead/ui-sdk';
import type { Faults } from '../members/formErrors.ts';
import { sealed } from '../members/secret.ts';
import type { CaptchaAnswer } from '../members/Captcha.tsx';
import type { Purpose } from '../members/useCode.tsx';
import { codeFault, emailFault, passwordFault, phoneFault, repeatFault, targetFault, userNameFault } from '../members/validation.ts';

/** What is in the fields of a form, by their names. */
export type Values = Record<string, string>;

/** A form of accounts: what its values have to be, and the call that they make. */
export interface Kind {
  /** What a code of this form is for, and the field with the number or address that it is sent to. */
  code?: { purpose: Purpose; to: string };
  /** What is wrong, by field, as keys of messages. */
  check(values: Values): Faults;
  send(api: Api, values: Values, captcha: CaptchaAnswer | undefined): Promise<unknown>;
  /**
   * `enter`: the reader is signed in, and goes back to where they came from. `sign-in`: they sign in next. `stay`: the form is emptied, and what the
   * page shows of the account is read again.
   */
  then: 'enter' | 'sign-in' | 'stay';
}

/** A text that is not typed for its own sake is sent without white space around it. Passwords are sent as they are. */
const text = (values: Values, name: string) => (values[name] ?? '').trim();
const typed = (values: Values, name: string) => values[name] ?? '';

/** A mobile number and an e-mail address have fields of their own in calls. */
const reached = (target: string) => (target.includes('@') ? { email: target } : { mobile: target });

const required = (value: string, key: string) => (value ? undefined : key);

/** The names that a password must not contain. */
const namesIn = (values: Values) => [text(values, 'userName'), text(values, 'target').split('@')[0]];

const newPassword = (values: Values, password = typed(values, 'password')) => ({
  password: passwordFault(password, ...namesIn(values)),
  repeated: repeatFault(password, typed(values, 'repeated')),
});

const newAccount = (values: Values): Faults => ({
  userName: userNameFault(text(values, 'userName')),
  target: targetFault(text(values, 'target')),
  code: codeFault(text(values, 'code')),
  ...newPassword(values),
  agreement: values['agreement'] ? undefined : 'agreement_needed',
});

async function accountOf(api: Api, values: Values) {
  const [password] = await sealed(api, [typed(values, 'password')]);
  return { userName: text(values, 'userName'), ...reached(text(values, 'target')), code: text(values, 'code'), password, agreement: true };
}

const withPassword = (values: Values): Faults => ({
  userName: required(text(values, 'userName'), 'name_required'),
  password: required(typed(values, 'password'), 'password_required'),
});

async function signInOf(api: Api, values: Values) {
  const [password] = await sealed(api, [typed(values, 'password')]);
  return { userName: text(values, 'userName'), password };
}

const withCode = (values: Values): Faults => ({ target: targetFault(text(values, 'target')), code: codeFault(text(values, 'code')) });
const codeOf = (values: Values) => ({ mobile: text(values, 'target'), code: text(values, 'code') });

/** The password that the account has. One without a password has no such field. */
const ownPassword = (values: Values, name: string, key: string) => (values[name] === undefined ? undefined : required(values[name], key));

/** A new mobile number or e-mail address. Who has a password types it, so that an open window is not enough. */
const changeOf = (name: 'mobile' | 'email', fault: (value: string) => string | undefined): Kind => ({
  code: { purpose: name, to: name },
  check: (values) => ({
    [name]: fault(text(values, name)),
    code: codeFault(text(values, 'code')),
    password: ownPassword(values, 'password', 'password_required'),
  }),
  async send(api, values) {
    const old = typed(values, 'password');
    const [password] = old ? await sealed(api, [old], true) : [];
    return api.put('/rc-pub/api/changeMobile', { [name]: text(values, name), code: text(values, 'code'), ...(password ? { password } : {}) });
  },
  then: 'stay',
});

export const KINDS: Record<string, Kind> = {
  login: {
    check: withPassword,
    send: async (api, values, captcha) => api.post('/rc-pub/api/login', { ...(await signInOf(api, values)), ...(captcha ? { captcha } : {}) }),
    then: 'enter',
  },
  quickLogin: {
    code: { purpose: 'login', to: 'target' },
    check: withCode,
    send: (api, values) => api.post('/rc-pub/api/loginByMessage', codeOf(values)),
    then: 'enter',
  },
  register: {
    code: { purpose: 'register', to: 'target' },
    check: newAccount,
    send: async (api, values) => api.post('/rc-pub/api/register', await accountOf(api, values)),
    then: 'enter',
  },
  forgetCode: {
    code: { purpose: 'reset', to: 'target' },
    check: (values) => ({ ...withCode(values), ...newPassword(values) }),
    async send(api, values) {
      const [password] = await sealed(api, [typed(values, 'password')]);
      return api.put('/rc-pub/api/setNewPwd', { target: text(values, 'target'), code: text(values, 'code'), password });
    },
    then: 'sign-in',
  },
  bind: {
    check: withPassword,
    send: async (api, values, captcha) => api.post('/rc-pub/api/thirdBind', { ...(await signInOf(api, values)), ...(captcha ? { captcha } : {}) }),
    then: 'enter',
  },
  bindByCode: {
    code: { purpose: 'bind', to: 'target' },
    check: withCode,
    send: (api, values) => api.post('/rc-pub/api/thirdBind', codeOf(values)),
    then: 'enter',
  },
  bindNew: {
    code: { purpose: 'register', to: 'target' },
    check: newAccount,
    send: async (api, values) => api.post('/rc-pub/api/thirdBind', { register: await accountOf(api, values) }),
    then: 'enter',
  },
  changePwd: {
    check(values) {
      const [old, password] = [typed(values, 'oldPassword'), typed(values, 'password')];
      const faults = newPassword(values);
      return {
        oldPassword: ownPassword(values, 'oldPassword', 'password_original_needed'),
        ...faults,
        password: faults.password ?? (old && old === password ? 'password_same' : undefined),
      };
    },
    async send(api, values) {
      const [password, oldPassword] = await sealed(api, [typed(values, 'password'), typed(values, 'oldPassword')], true);
      return api.put('/rc-pub/api/changePwd', { password, ...(typed(values, 'oldPassword') ? { oldPassword } : {}) });
    },
    then: 'stay',
  },
  changeMobile: changeOf('mobile', phoneFault),
  changeEmail: changeOf('email', emailFault),
};
