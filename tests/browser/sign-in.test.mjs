// Sign-in by password, code and passkey, what a form says, and how sessions end, in one window and in several.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startMailbox } from './mailbox.mjs';
import { drawn, observeShifts, openPage, startBrowser, startPortal, tooWide, violations, WCAG } from './portal.mjs';

const texts = (lang, name) => JSON.parse(readFileSync(path.resolve(import.meta.dirname, `../../locales/${lang}/${name}.json`), 'utf8'));
const [T, HOST] = [texts('en', 'members'), texts('en', 'host')];
const SITE = 'jetty';
const EMAIL = 'heron@example.org';
const NAME = 'heron.grey';
const MASKED = 'he****grey';
const [PASSWORD, NEXT] = ['Marsh7Reed', 'Salt8Creek'];
const PAGES = ['login', 'quickLogin', 'register', 'forgetCode', 'accountBinding', 'personal'];

let mailbox;
let portal;
let browser;

before(async () => {
  mailbox = await startMailbox();
  portal = await startPortal({
    edit: (sites) => {
      const languages = '["zh", "en", "ru", "ara", "spa", "fra", "de", "jp", "kor"]';
      const site = `id = 9411\nlanguages = ${languages}\ndemo = ["ocean-ledger"]\nname = { zh = "栈桥", en = "Jetty" }\nheader = { showLogin = true }\n`;
      writeFileSync(path.join(sites, `${SITE}.toml`), site);
      const file = path.join(sites, 'platform.toml');
      const mail = `[mail]\nserver = "127.0.0.1"\nport = ${mailbox.port}\nencryption = "none"\nfrom = "noreply@example.org"\n`;
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\[mail\][^[]*/m, `${mail}\n`));
    },
  });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await portal?.stop();
  await mailbox?.stop();
});

const at = (address) => portal.at(SITE, address);
const open = (options) => openPage(browser, options);
const go = (page, address) => page.goto(at(address), { waitUntil: 'networkidle' });
/** The page of the tests for which one window is enough: each of its own would start a process and load all scripts again. */
let own;
/** This page, in a window of this width. Nobody is signed in. */
async function visitor(width = 1280) {
  own ??= await open();
  const { page, faults } = own;
  faults.length = 0;
  await page.context().clearCookies();
  await page.setViewportSize({ width, height: 844 });
  return { page, faults };
}
const formOf = (page, kind) => page.locator(`form[data-account="${kind}"]`);
const said = (page, text) => page.locator('.notices .toast', { hasText: text }).first().waitFor();
const errorOf = (form, name) => form.locator(`.field:has([name="${name}"]) .field-error, .check:has([name="${name}"]) .field-error`).textContent();
const submit = (form) => form.locator('button[type="submit"]').click();
const fill = async (form, values) => {
  for (const [name, value] of Object.entries(values)) await form.locator(`[name="${name}"]`).fill(value);
};
const isSignedIn = (page) => page.locator('.frame-account .frame-name', { hasText: MASKED }).count();

/** Asks for a code by the task for browsers, and returns the one that comes by mail. */
async function codeIn(form, to) {
  await form.getByRole('button', { name: T.code_send }).click();
  await form.getByRole('button', { name: T.captcha_work }).click();
  await form.locator('.captcha-work[data-done]').waitFor();
  await form.getByRole('button', { name: T.code_send }).click();
  return mailbox.code(to);
}

async function signIn(page, back = '/en/issue', password = PASSWORD) {
  await go(page, `/en/login?url=${encodeURIComponent(back)}`);
  const form = formOf(page, 'login');
  await fill(form, { userName: NAME, password });
  await submit(form);
}

/**
 * Lets the sign-in page come when the function that it resolves to is called: until then the document stays, however slowly the message is read that
 * it shows for a moment.
 */
async function holdSignIn(page) {
  let release;
  const isRead = new Promise((resolve) => (release = resolve));
  await page.route('**/login?*', async (route) => {
    await isRead;
    await route.continue();
  });
  return release;
}

/** Waits for the sign-in page that leads back to an address. */
async function leadsBack(page, address) {
  await page.waitForURL(/\/login\?/);
  assert.equal(new URL(page.url()).searchParams.get('url'), address);
}

test('the pages are readable without scripts, and say what a form needs', async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  for (const name of PAGES.slice(0, 5)) {
    await page.goto(at(`/en/${name}`));
    for (const form of await page.locator('form[data-account]').all()) {
      assert.ok(await form.locator('button[type="submit"]').isDisabled(), `${name}: nothing can be sent`);
      // Searches by text leave out what is in `noscript`.
      const notice = form.locator('noscript p');
      assert.ok((await notice.isVisible()) && (await notice.textContent()) === HOST.account_needs_scripts, name);
      for (const input of await form.locator('input').all()) assert.ok(await input.isVisible(), name);
    }
    assert.equal(await page.locator('header nav.frame-nav').count(), 0, `${name} has no navigation of the header`);
  }
  await close();
});

/** Language -> the views of its pages. A page is loaded once, in the first view; another window and paper come while it is open. */
const VIEWS = {
  en: [
    { width: 390, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
  ],
  ara: [{ width: 390, colorScheme: 'light' }],
  zh: [{ width: 1280, colorScheme: 'dark' }],
};
for (const [lang, views] of Object.entries(VIEWS)) {
  const names = views.map(({ width, colorScheme }) => `${width} px in ${colorScheme}`);
  test(`the pages in ${lang} fit ${names.join(' and ')}, and axe finds nothing`, async () => {
    const { page, faults, close } = await open({ reducedMotion: 'reduce' });
    await observeShifts(page);
    const turn = async ({ width, colorScheme }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
    };
    for (const name of PAGES) {
      await turn(views[0]);
      await go(page, `/${lang}/${name}?url=%2F${lang}%2Fissue`);
      const shift = await page.evaluate(() => globalThis.shift);
      assert.ok(shift < 0.02, `${name}: ${shift}`);
      for (const [at, view] of views.entries()) {
        await turn(view);
        await drawn(page);
        assert.ok((await tooWide(page)) <= 0, `${name} is too wide, ${names[at]}`);
        assert.deepEqual(await violations(page, { tags: WCAG }), [], `${name}, ${names[at]}`);
      }
    }
    assert.deepEqual(faults, []);
    await close();
  });
}

test('passwords are hidden, can be pasted, and are known to password managers', async () => {
  const { page } = await visitor();
  const purposes = { login: ['current-password'], register: ['new-password', 'new-password'], forgetCode: ['new-password', 'new-password'] };
  for (const [name, expected] of Object.entries(purposes)) {
    await go(page, `/en/${name}`);
    const fields = formOf(page, name).locator('[name="password"], [name="repeated"]');
    const found = await fields.evaluateAll((all) => all.map((field) => [field.type, field.autocomplete]));
    assert.deepEqual(
      found,
      expected.map((purpose) => ['password', purpose]),
      name,
    );
    const allowed = await fields.first().evaluate((field) => field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })));
    assert.ok(allowed, `${name}: nothing prevents pasting`);
    if (name === 'login') assert.equal(await formOf(page, name).locator('[name="userName"]').getAttribute('autocomplete'), 'username');
  }
});

test('a form says what is wrong beside each field in the words of the specification, and is used by key', async () => {
  const { page, faults } = await visitor(390);
  await go(page, '/en/register');
  const form = formOf(page, 'register');
  await fill(form, { userName: NAME, target: '138', code: '', password: 'short', repeated: 'other' });
  await form.locator('[name="repeated"]').press('Enter');
  const expected = { target: 'phone_format', code: 'code_required', password: 'password_length', repeated: 'password_mismatch', agreement: 'agreement_needed' };
  for (const [name, key] of Object.entries(expected)) assert.equal(await errorOf(form, name), T[key], name);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'target', 'the first one has the focus');
  assert.deepEqual(await violations(page, { include: 'main', tags: WCAG }), []);
  // The captcha, by picture.
  await fill(form, { target: EMAIL });
  await form.getByRole('button', { name: T.code_send }).press('Enter');
  const picture = form.locator('.captcha img');
  await picture.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.captcha') !== null), true);
  const before = await picture.getAttribute('src');
  await form.getByRole('button', { name: T.captcha_new }).click();
  await page.waitForFunction((src) => document.querySelector('.captcha img')?.getAttribute('src') !== src, before);
  await form.locator('.captcha input').fill('wrong');
  await form.locator('.captcha input').press('Enter');
  await form.getByText(HOST.captcha_wrong).waitFor();
  assert.deepEqual(await violations(page, { include: '.captcha', tags: WCAG }), []);
  assert.ok((await tooWide(page)) <= 0);
  assert.ok(
    faults.every((fault) => /400/.test(fault)),
    String(faults),
  );
});

test('a reader registers with a code by mail, and goes on where they were', async () => {
  const { page } = await visitor();
  await go(page, '/en/register?url=%2Fen%2Fissue');
  const form = formOf(page, 'register');
  const bodies = [];
  const note = (request) => request.url().endsWith('/api/register') && bodies.push(request.postData());
  page.on('request', note);
  await fill(form, { userName: NAME, target: EMAIL, password: PASSWORD, repeated: PASSWORD });
  await form.locator('[name="code"]').fill(await codeIn(form, EMAIL));
  assert.match(await form.locator('[data-part="send"] button').textContent(), /\d/, 'the countdown');
  await form.locator('[name="agreement"]').check();
  await submit(form);
  await page.waitForURL(at('/en/issue'));
  await said(page, HOST.register_success);
  assert.ok(await isSignedIn(page), 'the header has the masked name');
  page.off('request', note);
  assert.equal(bodies.length, 1);
  assert.ok(!bodies[0].includes(PASSWORD) && bodies[0].includes('"encrypted"'), 'the password is encrypted');
  assert.match(await page.evaluate(() => document.cookie), /userName=/);
  assert.doesNotMatch(await page.evaluate(() => document.cookie), /mh_session/, 'scripts cannot read the session');
});

test('a wrong password is told in the form, the right one leads back, and the sign-out says so', async () => {
  const { page } = await visitor();
  await signIn(page, '/en/issue', 'Wrong7Reed');
  const status = formOf(page, 'login').locator('.form-status[data-kind="failed"]');
  await status.getByText(HOST.login_wrong).waitFor();
  assert.match(page.url(), /\/en\/login\?/, 'the page stays');
  await formOf(page, 'login').locator('[name="password"]').fill(PASSWORD);
  await submit(formOf(page, 'login'));
  await page.waitForURL(at('/en/issue'));
  await said(page, HOST.login_success);
  await page.getByRole('link', { name: 'Sign out' }).first().click();
  await leadsBack(page, '/en/issue');
  await said(page, HOST.logout_success);
  assert.doesNotMatch(await page.evaluate(() => document.cookie), /userName/);
  assert.equal(await isSignedIn(page), 0);
});

test('a code signs in, once', async () => {
  const { page } = await visitor();
  await go(page, '/en/quickLogin?url=%2Fen%2Fissue');
  const form = formOf(page, 'quickLogin');
  await fill(form, { target: EMAIL });
  const code = await codeIn(form, EMAIL);
  await fill(form, { code: code === '000000' ? '000001' : '000000' });
  await submit(form);
  await form.getByText(HOST.code_wrong).waitFor();
  await fill(form, { code });
  await submit(form);
  await page.waitForURL(at('/en/issue'));
  assert.ok(await isSignedIn(page));
  await page.context().clearCookies();
  await go(page, '/en/quickLogin');
  await fill(formOf(page, 'quickLogin'), { target: EMAIL, code });
  await submit(formOf(page, 'quickLogin'));
  await formOf(page, 'quickLogin').getByText(HOST.code_wrong).waitFor();
});

test('a passkey is added in the security of the account, signs in without a name, and is removed', async () => {
  const { page, faults, close } = await open();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  await signIn(page, '/en/personal?tab=account');
  await page.waitForURL(at('/en/personal?tab=account'));
  await page.getByText(T.passkeys_none).waitFor();
  await page.getByRole('button', { name: T.passkey_add }).click();
  await said(page, HOST.passkey_added);
  const entry = page.locator('[data-part="passkeys"] .entries li');
  await entry.waitFor();
  assert.deepEqual(await violations(page, { include: '.panels', tags: WCAG }), []);
  await page.getByRole('link', { name: 'Sign out' }).first().click();
  await leadsBack(page, '/en/personal?tab=account');
  await page.getByRole('button', { name: T.passkey_sign_in }).click();
  await page.waitForURL(at('/en/personal?tab=account'));
  await said(page, HOST.login_success);
  await entry.getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: T.confirm, exact: true }).click();
  await page.getByText(T.passkeys_none).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test('a sign-out in one window is told in the others, which lead to the sign-in', async () => {
  const { page, close } = await open();
  await signIn(page);
  await page.waitForURL(at('/en/issue'));
  const other = await page.context().newPage();
  await other.goto(at('/en/issues'), { waitUntil: 'networkidle' });
  await other.locator('[data-announces="title"]').waitFor({ state: 'attached' });
  const release = await holdSignIn(other);
  await page.getByRole('link', { name: 'Sign out' }).first().click();
  await said(other, HOST.logout_success);
  release();
  await leadsBack(other, '/en/issues');
  await leadsBack(page, '/en/issue');
  await close();
});

test('another password ends the sign-in elsewhere: the next call there says so and leads to the sign-in after a moment', async () => {
  const [here, there] = [await open(), await open()];
  await signIn(there.page, '/en/personal?tab=account');
  await there.page.waitForURL(at('/en/personal?tab=account'));
  await there.page.getByText(T.session_current).waitFor();
  await signIn(here.page, '/en/personal?tab=account');
  await here.page.waitForURL(at('/en/personal?tab=account'));
  const form = formOf(here.page, 'changePwd');
  await fill(form, { oldPassword: PASSWORD, password: PASSWORD, repeated: PASSWORD });
  await submit(form);
  assert.equal(await errorOf(form, 'password'), T.password_same);
  await fill(form, { oldPassword: PASSWORD, password: NEXT, repeated: NEXT });
  await submit(form);
  await form.getByText(HOST.submit_success).waitFor();
  assert.equal(await form.locator('[name="oldPassword"]').inputValue(), '');
  // The list is asked for again when the password is changed.
  const signIns = here.page.locator('[data-part="sessions"] .entries li');
  await signIns.nth(1).waitFor({ state: 'detached' });
  assert.equal(await signIns.count(), 1, 'this sign-in alone is left');

  const release = await holdSignIn(there.page);
  const left = there.page.waitForRequest(/\/login\?/).then(() => Date.now());
  const since = Date.now();
  await there.page.getByRole('button', { name: T.passkey_add }).click();
  await said(there.page, HOST.sign_in_needed);
  // The message is shown for so long at least, on a slow machine for longer.
  assert.ok((await left) - since >= 1100, 'the message can be read');
  release();
  await leadsBack(there.page, '/en/personal?tab=account');
  assert.doesNotMatch(await there.page.evaluate(() => document.cookie), /userName/);
  await here.close();
  await there.close();
});

test('a forgotten password is set anew with a code, and only the new one signs in', async () => {
  const { page } = await visitor();
  await go(page, '/en/forgetCode?url=%2Fen%2Fissue');
  const form = formOf(page, 'forgetCode');
  await fill(form, { target: EMAIL, password: PASSWORD, repeated: PASSWORD });
  await form.locator('[name="code"]').fill(await codeIn(form, EMAIL));
  await submit(form);
  await leadsBack(page, '/en/issue');
  await said(page, HOST.reset_success);
  await fill(formOf(page, 'login'), { userName: EMAIL, password: NEXT });
  await submit(formOf(page, 'login'));
  await formOf(page, 'login').getByText(HOST.login_wrong).waitFor();
  await formOf(page, 'login').locator('[name="password"]').fill(PASSWORD);
  await submit(formOf(page, 'login'));
  await page.waitForURL(at('/en/issue'));
});

test('an address of another site to return to leads to the home page of this one', async () => {
  const { page } = await visitor();
  await go(page, '/en/login?url=https%3A%2F%2Fevil.example%2F');
  await fill(formOf(page, 'login'), { userName: NAME, password: PASSWORD });
  await submit(formOf(page, 'login'));
  await page.waitForURL(at('/en/home/'));
});
