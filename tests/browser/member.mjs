// A member of a site under test: the mail that the host sends, a code by mail, and the registration.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const T = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../locales/en/members.json'), 'utf8'));

/** Has a host send its mail to a mailbox: changes its copy of `sites/`. */
export function sendMailTo(mailbox, sites) {
  const file = path.join(sites, 'platform.toml');
  const mail = `[mail]\nserver = "127.0.0.1"\nport = ${mailbox.port}\nencryption = "none"\nfrom = "noreply@example.org"\n`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\[mail\][^[]*/m, `${mail}\n`));
}

/** Asks for a code in a form or dialog, by the task for browsers, and returns the one that comes by mail. */
export async function codeIn(form, to, mailbox) {
  await form.getByRole('button', { name: T.code_send }).click();
  await form.getByRole('button', { name: T.captcha_work }).click();
  await form.locator('.captcha-work[data-done]').waitFor();
  await form.getByRole('button', { name: T.code_send }).click();
  return mailbox.code(to);
}

/** Registers a member on the site of an address in English, to which the page returns; the member is signed in then. */
export async function register(page, back, { name, email, password }, mailbox) {
  const { origin, pathname, search } = new URL(back);
  await page.goto(`${origin}/en/register?url=${encodeURIComponent(pathname + search)}`, { waitUntil: 'networkidle' });
  const form = page.locator('form[data-account="register"]');
  await form.locator('[name="userName"]').fill(name);
  await form.locator('[name="target"]').fill(email);
  await form.locator('[name="code"]').fill(await codeIn(form, email, mailbox));
  await form.locator('[name="password"]').fill(password);
  await form.locator('[name="repeated"]').fill(password);
  await form.locator('[name="agreement"]').check();
  await form.locator('button[type="submit"]').click();
  await page.waitForURL(back);
}

/** Registers a reader on each of these sites. Resolves to what keeps the sign-in there: the `storageState` of a browser's context. */
export async function signedIn({ page, at, mailbox, slds }) {
  for (const sld of slds) {
    const email = `reader-${sld}@example.org`;
    await register(page, at(sld, '/en/home/'), { name: 'sandpiper', email, password: 'Mudflat7Tide' }, mailbox);
  }
  return page.context().storageState();
}
