// A member on two sites whose full texts are for members: from the registration to the erasure, with mail and a passkey.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { send } from '../demo-host.mjs';
import { linksOf } from './crawler.mjs';
import { hasFocus, tabToPart, waitForFocus } from './keyboard.mjs';
import { startMailbox } from './mailbox.mjs';
import { codeIn, register, sendMailTo } from './member.mjs';
import { bytesOf, drawn, get, openPage, startBrowser, startPortal, tooWide, violations, waitForTools } from './portal.mjs';
import { PERSONAL_TAB } from './screen-checks.mjs';

const texts = (name) => JSON.parse(readFileSync(path.resolve(import.meta.dirname, `../../locales/en/${name}.json`), 'utf8'));
const [T, HOST] = [texts('members'), texts('host')];
const [FIRST, SECOND] = ['harbour', 'lagoon'];
const NAME = 'curlew';
const EMAIL = 'curlew@example.org';
const PASSWORD = 'Mudflat7Tide';
const KEYWORD = 'moonmilk';
/** The article of the demo that has a PDF. */
const WITH_PDF = '/en/article/doi/10.5555/ocl.2026.06.01.0001';
/** A picture of one pixel. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGMQaPgAAAIkAYFvkeRkAAAAAElFTkSuQmCC', 'base64');

const site = (id, name) => `id = ${id}
languages = ["zh", "en"]
demo = ["ocean-ledger"]
name = { zh = "${name}", en = "${name}" }
access = { fullText = "members", downloads = "members" }
`;

const ARTICLE = `<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" xml:lang="en"><front>
<journal-meta><journal-id journal-id-type="publisher-id">ocean-ledger</journal-id>
<journal-title-group><journal-title xml:lang="en">Ocean Ledger</journal-title></journal-title-group><issn>9967-2049</issn></journal-meta>
<article-meta><article-id pub-id-type="doi">10.5555/ocl.2026.9101</article-id>
<title-group><article-title>White deposits of a sea cave</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lind</surname><given-names>B. O.</given-names></name></contrib></contrib-group>
<pub-date date-type="pub" publication-format="electronic"><day>2</day><month>5</month><year>2026</year></pub-date>
<volume>6</volume><issue>2</issue><fpage>211</fpage><lpage>219</lpage>
<abstract><p>We looked at what drips.</p></abstract><kwd-group xml:lang="en"><kwd>${KEYWORD}</kwd><kwd>caves</kwd></kwd-group></article-meta></front>
<body><sec><title>Introduction</title><p>It drips.</p></sec></body></article>`;

let mailbox;
let portal;
let browser;
/** The member's browser, which keeps its cookies from test to test. */
let own;
let page;

before(async () => {
  mailbox = await startMailbox();
  portal = await startPortal({
    edit: (sites) => {
      writeFileSync(path.join(sites, `${FIRST}.toml`), site(9401, 'Harbour'));
      writeFileSync(path.join(sites, `${SECOND}.toml`), site(9402, 'Lagoon'));
      sendMailTo(mailbox, sites);
      const file = path.join(sites, 'platform.toml');
      const platform = readFileSync(file, 'utf8')
        .replace(/^quietMinutes = .*$/m, 'quietMinutes = 0')
        .replace(/^newDays = .*$/m, 'newDays = 0');
      writeFileSync(file, platform);
    },
  });
  browser = await startBrowser();
  own = await openPage(browser);
  ({ page } = own);
});
after(async () => {
  await own?.close();
  await browser?.close();
  await portal?.stop();
  await mailbox?.stop();
});

const at = (sld, address) => portal.at(sld, address);
const go = (sld, address) => page.goto(at(sld, address), { waitUntil: 'networkidle' });
const said = (text) => page.locator('.notices .toast', { hasText: text }).first().waitFor();
const dialog = () => page.getByRole('dialog');
const pathOf = () => new URL(page.url()).pathname;

const codeFor = (form, to) => codeIn(form, to, mailbox);
const registerOn = (sld, back) => register(page, at(sld, back), { name: NAME, email: EMAIL, password: PASSWORD }, mailbox);

async function signIn(sld, password = PASSWORD) {
  await go(sld, '/en/login?url=%2Fen%2Fpersonal');
  const form = page.locator('form[data-account="login"]');
  await form.locator('[name="userName"]').fill(NAME);
  await form.locator('[name="password"]').fill(password);
  await form.locator('button[type="submit"]').click();
}

const signOut = () => page.context().clearCookies();
const openTab = async (sld, tab) => {
  await go(sld, `/en/personal?tab=${tab}`);
  await page.locator(PERSONAL_TAB).first().waitFor();
  // A form may be there before the list below it.
  await page.locator('.personal-waiting').first().waitFor({ state: 'detached' });
};
/** Goes to another tab of the personal centre that is open, without loading another document. */
async function turnToTab(tab, window = page) {
  await window.locator(`nav.tabs a[href$="tab=${tab}"]`).click();
  await window.locator(`nav.tabs a[href$="tab=${tab}"][aria-current="page"]`).waitFor();
  await window.locator(PERSONAL_TAB).first().waitFor();
  await window.locator('.personal-waiting').first().waitFor({ state: 'detached' });
}
const records = () => page.locator('.record-title').allTextContents();

/** The first article of the current issue. */
const anArticle = async (sld) => linksOf(await get(portal.port, sld, '/en/issue')).find((href) => /^\/en\/article\/\d+$/.test(href));

test('a visitor is led from a restricted article to the registration, and reads it as a member', async () => {
  const article = await anArticle(FIRST);
  await go(FIRST, article);
  const closed = page.locator('article.reader p.alert[role="note"]');
  assert.match(await closed.textContent(), new RegExp(HOST.read_full_text_denied));
  await closed.getByRole('link', { name: HOST.account_login }).click();
  await page.waitForURL(/\/en\/login\?/);
  assert.equal(new URL(page.url()).searchParams.get('url'), article);
  await page.getByRole('link', { name: HOST.account_register }).first().click();
  await page.waitForURL(/\/en\/register\?/);
  await registerOn(FIRST, article);
  await page.locator('article.reader').waitFor();
  assert.equal(await closed.count(), 0, 'the full text is open');
  assert.ok((await page.locator('.reader-section[data-kind="body"]').count()) > 0);
  assert.deepEqual(own.faults, []);
});

test('what the member reads, downloads and collects is in the personal centre', async () => {
  await go(FIRST, WITH_PDF);
  const title = (await page.locator('.reader-head h1').textContent()).trim();
  const pdf = page.locator('.aside-pdf a');
  const [download] = await Promise.all([page.waitForEvent('download'), pdf.evaluate((link) => ((link.download = ''), link.click()))]);
  assert.equal((await bytesOf(download)).subarray(0, 5).toString(), '%PDF-');
  const collect = page.locator('[data-member="collect"]');
  await collect.click();
  await dialog().getByRole('button', { name: T.confirm, exact: true }).click();
  await said(T.collect_success);
  assert.equal(await collect.getAttribute('aria-pressed'), 'true');
  await openTab(FIRST, 'collect');
  for (const tab of ['collect', 'download', 'history']) {
    if (tab !== 'collect') await turnToTab(tab);
    assert.ok(
      (await records()).some((one) => one.trim() === title),
      tab,
    );
    assert.deepEqual(await violations(page, { include: 'main' }), [], tab);
  }
});

test('an album gets a cover and the entries that were selected in an issue, at most five', async () => {
  await openTab(FIRST, 'album');
  await page.getByRole('button', { name: T.album_new }).click();
  await dialog().getByLabel(T.album_name, { exact: true }).fill('Mud and tide');
  await dialog().getByLabel(T.album_cover).setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: PNG });
  await dialog().locator('img').waitFor();
  await dialog().getByRole('button', { name: T.save }).click();
  await said(T.album_saved);

  await go(FIRST, '/en/issue');
  await page.locator('[data-member="select"]').click();
  const boxes = page.locator('.card-select');
  await boxes.first().waitFor();
  const count = await boxes.count();
  for (let index = 0; index < Math.min(count, 6); index += 1) await boxes.nth(index).click();
  const chosen = await page.locator('.card-select:checked').count();
  assert.equal(chosen, Math.min(count, 5));
  await page.locator('.select-bar').getByRole('button', { name: T.add_to }).click();
  await dialog().getByLabel(T.my_albums).check();
  await dialog().getByLabel('Mud and tide').check();
  await dialog().getByRole('button', { name: T.confirm, exact: true }).click();
  await said(T.album_added);

  await openTab(FIRST, 'album');
  await page.getByRole('link', { name: 'Mud and tide' }).click();
  await page.locator('.records').waitFor();
  assert.equal((await records()).length, chosen);
});

test('the profile keeps what was written, and refuses what the specification refuses', async () => {
  await openTab(FIRST, 'infomation');
  await page.getByLabel(T.name, { exact: true }).fill('1');
  await page.getByRole('button', { name: T.save }).click();
  await page.getByText(T.person_name_format).waitFor();
  await page.getByText(T.research_field_needed).waitFor();
  await page.getByLabel(T.name, { exact: true }).fill('Ada Curlew');
  await page.getByLabel(T.research).fill('<script>alert(1)</script>');
  await page.getByLabel(T.photo, { exact: true }).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG });
  await page.locator('.picture-field img').waitFor();
  await page.getByRole('button', { name: T.save }).click();
  await said(T.submit_success);
  await openTab(FIRST, 'infomation');
  assert.equal(await page.getByLabel(T.research).inputValue(), '<script>alert(1)</script>');
  assert.equal(await page.locator('.picture-field img').count(), 1);
});

test('the personal centre fits a phone, reads from right to left, and has no finding in the dark', async () => {
  const {
    page: phone,
    close,
    faults,
  } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    storageState: await page.context().storageState(),
  });
  await phone.goto(at(FIRST, '/en/personal?tab=collect'), { waitUntil: 'networkidle' });
  await phone.locator('[data-personal] > *').first().waitFor();
  for (const tab of ['collect', 'download', 'album', 'infomation', 'subscribe', 'search', 'account']) {
    if (tab !== 'collect') await turnToTab(tab, phone);
    if (tab === 'account') for (const text of [T.session_current, T.passkeys_none]) await phone.getByText(text).first().waitFor();
    await drawn(phone);
    assert.ok((await tooWide(phone)) <= 0, tab);
    assert.deepEqual(await violations(phone, { include: 'main' }), [], tab);
  }
  await phone.evaluate(() => (document.documentElement.dir = 'rtl'));
  assert.ok((await tooWide(phone)) <= 0, 'from right to left');
  assert.deepEqual(faults, []);
  await close();
});

test('signing in works by password, by code and by passkey', async () => {
  await signOut();
  await signIn(FIRST, 'Wrong7Password');
  await page.locator('form[data-account="login"] .form-status[data-kind="failed"], form[data-account="login"] .field-error:visible').first().waitFor();
  await signIn(FIRST);
  await page.waitForURL(/\/en\/personal/);

  await signOut();
  await go(FIRST, '/en/quickLogin?url=%2Fen%2Fpersonal');
  const form = page.locator('form[data-account="quickLogin"]');
  await form.locator('[name="target"]').fill(EMAIL);
  await form.locator('[name="code"]').fill(await codeFor(form, EMAIL));
  await form.locator('button[type="submit"]').click();
  await page.waitForURL(/\/en\/personal/);

  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await openTab(FIRST, 'account');
  await page.getByRole('button', { name: T.passkey_add }).click();
  await said(HOST.passkey_added);
  await signOut();
  await go(FIRST, '/en/login?url=%2Fen%2Fpersonal');
  await page.getByRole('button', { name: T.passkey_sign_in }).click();
  await page.waitForURL(/\/en\/personal/);
});

/** Subscribes an address to a keyword, with the dialog of an article. */
async function subscribeTo(keywords, address) {
  await page.locator('[data-member="subscribe"]').click();
  await dialog().getByRole('textbox', { name: T.alert_keywords }).fill(keywords);
  await dialog().getByLabel(T.email, { exact: true }).fill(address);
  await dialog()
    .getByLabel(T.code, { exact: true })
    .fill(await codeFor(dialog(), address));
  await dialog().getByRole('button', { name: T.subscribe, exact: true }).click();
  await said(T.subscribe_success);
  await dialog().waitFor({ state: 'detached' });
}

/** Adds an article to the running site. */
function publish(article) {
  const file = path.join(portal.sites, 'cave.xml');
  writeFileSync(file, article);
  portal.run('import', 'jats', file, '--site', FIRST, '--sites', portal.sites, '--data', portal.data);
}

test('subscribers by keyword get one mail for a new article, and one of them ends it with one click', async () => {
  const [leaves, stays] = ['whimbrel@example.org', 'godwit@example.org'];
  await go(FIRST, await anArticle(FIRST));
  await subscribeTo(`${KEYWORD}；eels`, leaves);
  await subscribeTo(KEYWORD.toUpperCase(), stays);
  const about = (title, to) => mailbox.mails.filter((mail) => mail.to.includes(to) && mail.text.includes(title));

  publish(ARTICLE);
  const arrived = (title, to) => mailbox.wait((mail) => mail.to.includes(to) && mail.text.includes(title), `the alert for ${to}`);
  const [mail] = [await arrived('White deposits', leaves), await arrived('White deposits', stays)];
  assert.equal(mail.header('List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
  const { pathname, search } = new URL(/<([^>]+)>/.exec(mail.header('List-Unsubscribe'))[1]);
  const visitor = await openPage(browser);
  await visitor.page.goto(at(FIRST, pathname + search));
  await visitor.page.locator('form [type="submit"], form button').first().click();
  await visitor.page.waitForLoadState();
  await visitor.close();

  publish(ARTICLE.replace('2026.9101', '2026.9102').replace('White deposits', 'Brown deposits').replace('>211<', '>221<').replace('>219<', '>229<'));
  await arrived('Brown deposits', stays);
  assert.deepEqual(about('Brown deposits', leaves), []);
  for (const to of [leaves, stays]) assert.equal(about('White deposits', to).length, 1, `${to} got the first one once`);
});

test('a saved search leads back to its results', async () => {
  await go(FIRST, '/en/search?q=carbon');
  await page.locator('[data-member="search"]').click();
  await dialog().getByLabel(T.search_name).fill('Carbon and coasts');
  await dialog().getByRole('button', { name: T.save }).click();
  await said(T.search_saved);
  await openTab(FIRST, 'search');
  await page.getByRole('link', { name: 'Carbon and coasts' }).click();
  await page.locator('.result-count').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('q'), 'carbon');
});

test('another site knows nothing of the member, who registers there anew and has lists of its own', async () => {
  await signIn(SECOND);
  await page.locator('form[data-account="login"] .form-status[data-kind="failed"], form[data-account="login"] .field-error:visible').first().waitFor();
  await registerOn(SECOND, '/en/home/');
  await openTab(SECOND, 'collect');
  for (const tab of ['collect', 'download', 'album', 'subscribe', 'search']) {
    if (tab !== 'collect') await turnToTab(tab);
    assert.equal(await page.locator('.records, .albums, .entries').count(), 0, tab);
  }
  const article = await anArticle(SECOND);
  await go(SECOND, article);
  await page.locator('[data-member="collect"]').click();
  await dialog().getByRole('button', { name: T.confirm, exact: true }).click();
  await said(T.collect_success);
  await openTab(SECOND, 'collect');
  assert.equal((await records()).length, 1);
});

for (const sld of [FIRST, SECOND]) {
  test(`${sld}: everything is exported, then erased, and the account is gone`, async () => {
    await signOut();
    await signIn(sld);
    await page.waitForURL(/\/en\/personal/);
    await openTab(sld, 'account');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: T.export }).click()]);
    const archive = await bytesOf(download);
    assert.equal(archive.subarray(0, 2).toString(), 'PK');
    await page.getByRole('button', { name: T.erase }).click();
    await dialog().getByLabel(T.password).fill(PASSWORD);
    await dialog().getByRole('button', { name: T.erase }).click();
    await said(T.account_erased);
    await page.waitForURL(/\/en\/home/);
    await signIn(sld);
    await page.locator('form[data-account="login"] .form-status[data-kind="failed"], form[data-account="login"] .field-error:visible').first().waitFor();
    assert.equal(pathOf(), '/en/login');
  });
}

test('a comment is written by keyboard alone, and readers see it when an editor has approved it', async () => {
  const [sld, text] = ['oceanledger', 'The second table counts the meadow in winter, too.'];
  const [field, button] = ['#comment-text', '#comments button[type="submit"]'];
  await signOut();
  await register(page, at(sld, WITH_PDF), { name: 'dunlin', email: 'dunlin@example.org', password: PASSWORD }, mailbox);
  await waitForTools(page);
  await tabToPart(page, '.reader-outline a[href="#comments"]', { most: 200 });
  await page.keyboard.press('Enter');
  await waitForFocus(page, '#comments');
  await page.locator(`${button}:enabled`).waitFor();
  await tabToPart(page, field, { most: 3 });
  await tabToPart(page, button, { most: 3 });
  await page.keyboard.press('Enter');
  await waitForFocus(page, `${field}[aria-invalid="true"]`);
  const described = await page.locator(field).evaluate((one) => {
    const ids = one.getAttribute('aria-describedby').split(' ');
    return ids.map((id) => document.getElementById(id).textContent);
  });
  assert.ok(described.includes(HOST.comment_length.replace('{{count}}', '2000')), described.join());
  await page.keyboard.type(text);
  await tabToPart(page, button, { most: 3 });
  await page.keyboard.press('Enter');
  await said(texts('shell').comment_waiting);
  assert.equal(await page.locator(field).inputValue(), '');
  assert.ok(await hasFocus(page, button), 'the focus stays where it was');
  assert.deepEqual(await violations(page, { include: '#comments' }), []);

  const token = portal.run('token', 'create', 'moderator', '--role', 'editor', '--site', sld, '--sites', portal.sites, '--data', portal.data);
  const admin = async (method, call) => {
    const headers = { host: `${sld}.localhost`, language: 'en', token };
    const answer = await send(portal.port, `/rc-pub/admin/comments${call}siteId=448`, { method, headers });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text).data;
  };
  const visitor = await openPage(browser);
  const shown = visitor.page.locator('#comments .comment-text', { hasText: text });
  await visitor.page.goto(at(sld, WITH_PDF), { waitUntil: 'networkidle' });
  assert.match(await visitor.page.locator('#comments .alert').textContent(), new RegExp(HOST.sign_in_needed_to_comment));
  assert.equal(await shown.count(), 0, 'nobody has approved the comment');
  const { content } = await admin('GET', '?');
  const { id } = content.find((one) => one.text === text);
  await admin('POST', `/${id}/approve?`);
  // The host makes the page that it has kept for this visitor again when it has read of the change; what bounds a hang is not the speed of the machine.
  const patience = performance.now() + 180_000;
  do await visitor.page.reload({ waitUntil: 'networkidle' });
  while (!(await shown.count()) && performance.now() < patience);
  assert.equal(await shown.count(), 1);
  assert.deepEqual(visitor.faults, []);
  await visitor.close();
  await page.reload({ waitUntil: 'networkidle' });
  assert.equal(await page.locator('#comments .comment-text', { hasText: text }).count(), 1);
});
