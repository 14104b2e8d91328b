// The navigation: two headers, by keyboard, pointer and touch; the menu and the search of a phone; the page with the whole navigation.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { focused, tabTo } from './keyboard.mjs';
import { firstArticle, tooWide, useDemo, violations } from './portal.mjs';
import { fetchNothingAhead, reusing } from './screen-checks.mjs';

const channel = (id, code, name, enName, rest = '') => `
[[channels]]
id = ${id}
code = "${code}"
name = "${name}"
enName = "${enName}"
enable = "1"
${rest}
`;
const site = (id, style, distribution = 'center') => `
id = ${id}
name = { zh = "导航站 ${style}", en = "Navigation ${style}" }
languages = ["zh", "en"]
demo = ["ocean-ledger"]
colorId = 3

[header]
navStyle = ${style}
ceiling = true
navDistribution = "${distribution}"
groupEntrance = "https://group.example.org/"
logo = { zh = "logos/oceanledger-zh.svg", en = "logos/oceanledger-en.svg" }
mobileLogo = { zh = "logos/hssxiv-zh.svg", en = "logos/hssxiv-en.svg" }
customButtonList = [
  { customButtonName = "投稿", enCustomButtonName = "Submit", customButtonLinkValue = "https://submit.example.org/", customButtonStatus = 1, customButtonPcUrl = "logos/oceanledger-en.svg", customButtonMobileUrl = "logos/hssxiv-en.svg" },
  { customButtonName = "审稿", enCustomButtonName = "Review", customButtonLinkValue = "https://review.example.org/", customButtonStatus = 1 },
]

[footer]
enCopyright = "© 2026 Navigation"
copyright = "© 2026 导航站"
icp = "示例备字 1 号"
linkAddress = "https://beian.miit.gov.cn/"
toolbarStyle = 2
${channel(1, 'home', '首页', 'Home')}
${channel(2, 'newItem', '浏览', 'Browse', 'route = "issues"')}
${channel(3, 'directory', '当期目录', 'Current issue', 'parentId = 2')}
${channel(4, 'latestOffer', '最新录用', 'Just accepted', 'parentId = 2')}
${channel(5, 'item', '优先出版', 'Online first', 'route = "onlineFirst"')}
${channel(6, 'setStyle', 'English', '中文版')}
`;
/** A site with each header. */
const HEADERS = { barnav: 0, paperhead: 9 };

/** The other distributions of the menu; that of the sites above is `center`. */
const DISTRIBUTED = Object.entries(HEADERS).flatMap(([header, style]) =>
  ['left', 'justify'].map((distribution) => ({ sld: header + distribution, style, distribution })),
);

const demo = useDemo({
  edit: (sites) => {
    Object.entries(HEADERS).forEach(([sld, style], at) => writeFileSync(path.join(sites, `${sld}.toml`), site(9401 + at, style)));
    DISTRIBUTED.forEach(({ sld, style, distribution }, at) => writeFileSync(path.join(sites, `${sld}.toml`), site(9411 + at, style, distribution)));
  },
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const openPage = reusing(demo, fetchNothingAhead);
async function open(sld, address, options = {}) {
  const opened = await openPage({ reducedMotion: 'reduce', ...options });
  await opened.page.goto(demo.at(sld, address), { waitUntil: 'networkidle' });
  return opened;
}
const isOn = (page, route) => page.waitForFunction((name) => document.body.className === `page-${name}`, route);

for (const sld of Object.keys(HEADERS)) {
  test(`${sld}: the menu unfolds by key and under the pointer, and is walked by keyboard alone`, async () => {
    const { page, faults, close } = await open(sld, '/en/home/');
    const item = page.locator('.frame-menu > li.has-children');
    await tabTo(page, 'Entries under Browse');
    await page.keyboard.press('Enter');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Current issue');
    await page.keyboard.press('Escape');
    assert.deepEqual([await focused(page), await item.getAttribute('data-open')], ['Entries under Browse', null]);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await isOn(page, 'justAccepted');
    assert.equal(await focused(page), 'Just accepted');
    await page.locator('.frame-menu > li > a', { hasText: 'Browse' }).hover();
    assert.equal(await item.getAttribute('data-open'), 'true');
    await page.keyboard.press('Escape');
    assert.equal(await item.getAttribute('data-open'), null);
    await page.getByRole('link', { name: '中文版' }).click();
    await page.waitForFunction(() => document.documentElement.lang === 'zh' && location.pathname === '/zh/justAccepted');
    assert.deepEqual(faults, []);
    await close();
  });

  test(`${sld}: on a phone, entries unfold and fold, a leaf navigates, and the page does not scroll behind`, async () => {
    const { page, faults, close } = await open(sld, '/en/issues', PHONE);
    const button = page.locator('.frame-mobile button');
    const isLocked = () => page.evaluate(() => getComputedStyle(document.body).overflow === 'hidden' || document.body.hasAttribute('data-scroll-locked'));
    await button.tap();
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    await sheet.waitFor();
    assert.deepEqual(await violations(page), []);
    const limit = await page.locator('.frame-sheet-body').evaluate((body) => getComputedStyle(body).maxHeight);
    assert.equal(limit, `${844 - (sld === 'barnav' ? 90 : 145)}px`);
    assert.ok(await isLocked(), 'the page is locked');
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      assert.ok(await page.evaluate(() => document.activeElement.closest('[role=dialog]') !== null), 'the focus stays in the menu');
    }
    const browse = sheet.getByRole('button', { name: 'Entries under Browse' });
    const below = sheet.getByRole('link', { name: 'Current issue' });
    await browse.tap();
    await below.waitFor();
    await browse.tap();
    await below.waitFor({ state: 'hidden' });
    assert.equal(await sheet.getByRole('link', { name: 'Home' }).getAttribute('href'), '/en/home/');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    assert.equal(await focused(page), 'Menu');
    await button.tap();
    await browse.tap();
    await below.tap();
    await isOn(page, 'issue');
    await sheet.waitFor({ state: 'detached' });
    assert.ok(!(await isLocked()), 'the page is free again');
    assert.deepEqual(faults, []);
    await close();
  });

  test(`${sld}: on a phone, the menu and the search are never open together`, async () => {
    const { page, faults, close } = await open(sld, '/en/issues', PHONE);
    const field = page.locator('.frame-search input:visible').first();
    const search = page.getByRole('button', { name: 'Search', exact: true }).first();
    assert.equal(await field.count(), 0);
    await search.tap();
    await field.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.closest('.frame-search') !== null), true);
    await page.locator('.frame-mobile button').tap();
    await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    await field.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await search.tap();
    await field.fill('seagrass');
    await page.keyboard.press('Enter');
    await isOn(page, 'search');
    await page.waitForFunction(() => !document.documentElement.hasAttribute('data-search'));
    await field.waitFor();
    assert.deepEqual(faults, []);
    await close();
  });
}

test('the two headers are compositions of their own', async () => {
  const seen = {};
  for (const sld of Object.keys(HEADERS)) {
    const { page, close } = await open(sld, '/en/issues');
    const box = (selector) => page.locator(selector).first().boundingBox();
    const [header, logo, menu] = [await box('.frame-header'), await box('.frame-logo'), await box('.frame-menu')];
    await page.locator('.frame-menu > li > a', { hasText: 'Browse' }).hover();
    const panel = await box('.frame-menu > li.has-children > ul');
    seen[sld] = {
      height: header.height,
      inOneLine: menu.y < logo.y + logo.height,
      centred: Math.abs(logo.x + logo.width / 2 - header.width / 2) < 8,
      panelOverAll: panel.width === header.width,
    };
    await close();
  }
  assert.deepEqual(seen, {
    barnav: { height: 72, inOneLine: true, centred: false, panelOverAll: false },
    paperhead: { height: 152, inOneLine: false, centred: true, panelOverAll: true },
  });
});

for (const sld of Object.keys(HEADERS)) {
  test(`${sld}: the channels stand at the start of the bar, in its middle, or over its whole length, as the site says`, async () => {
    /** The space before the first channel, between channels and behind the last one, in px. */
    const spaces = async (name) => {
      const { page, faults, close } = await open(name, '/en/issues', { viewport: { width: 1600, height: 900 } });
      const found = await page.locator('.frame-menu').evaluate((menu) => {
        const items = [...menu.children].filter((one) => !one.hidden).map((one) => one.getBoundingClientRect());
        const { left, right } = menu.getBoundingClientRect();
        const between = items.slice(1).map((one, at) => one.left - items[at].right);
        return { before: items[0].left - left, between, behind: right - items.at(-1).right };
      });
      assert.deepEqual(faults, []);
      await close();
      assert.equal(found.between.length, 3, 'all four channels of the first level are in the bar');
      return { ...found, between: Math.min(...found.between), widest: Math.max(...found.between) };
    };
    const near = (one, other, what) => assert.ok(Math.abs(one - other) < 2, `${what}: ${one} and ${other} px`);
    const [left, center, justify] = [await spaces(`${sld}left`), await spaces(sld), await spaces(`${sld}justify`)];
    near(left.before, 0, 'left: nothing is before the first channel');
    assert.ok(left.behind > 30, `left: ${left.behind} px are behind the last channel`);
    near(center.before, center.behind, 'center: as much is before the channels as behind them');
    near(center.before + center.behind, left.behind, 'center: the channels stand together');
    near(justify.before, 0, 'justify: nothing is before the first channel');
    near(justify.behind, 0, 'justify: nothing is behind the last one');
    near(justify.between, justify.widest, 'justify: the channels have the same distance');
    near(justify.between - left.between, left.behind / 3, 'justify: all space is between the channels');
  });
}

test('logos and pictures follow the width, and the header stays at the top where there is no bar of an article', async () => {
  for (const [width, name] of [
    [1280, 'oceanledger-en'],
    [390, 'hssxiv-en'],
  ]) {
    const { page, close } = await open('barnav', '/en/home/', { viewport: { width, height: 500 } });
    assert.match(await page.locator('.frame-logo img').evaluate((image) => image.currentSrc), new RegExp(name));
    if (width < 768) await page.locator('.frame-mobile button').click();
    const buttons = page.locator(width < 768 ? '.frame-sheet .frame-button' : '.frame-header .frame-button');
    // The sheet of a phone is drawn after the click.
    await buttons.nth(1).waitFor();
    assert.deepEqual(await buttons.allTextContents(), ['Submit', 'Review']);
    assert.match(await buttons.locator('img').evaluate((image) => image.currentSrc), new RegExp(name));
    if (width < 768) await page.keyboard.press('Escape');
    const top = async () => {
      await page.evaluate(() => scrollTo(0, 400));
      await page.waitForFunction(() => scrollY > 100);
      return (await page.locator('.frame-header').boundingBox()).y;
    };
    assert.equal(await top(), 0);
    await page.goto(demo.at('barnav', await firstArticle(page)), { waitUntil: 'networkidle' });
    assert.ok((await top()) < 0, 'on an article its bar stays at the top');
    await close();
  }
});

test('the footer leads to the whole navigation', async () => {
  for (const options of [{}, PHONE]) {
    const { page, faults, close } = await open('paperhead', '/en/home/', options);
    const links = page.locator('.footer-toolbar a');
    assert.deepEqual(await links.allTextContents(), ['Home', 'Site navigation', 'Search']);
    await links.nth(1).click();
    await isOn(page, 'homeNav');
    assert.deepEqual(await violations(page), []);
    const names = await page.locator('.site-map a').allTextContents();
    assert.deepEqual(names, ['Home', 'Browse', 'Current issue', 'Just accepted', 'Online first', '中文版']);
    assert.ok((await tooWide(page)) <= 0);
    assert.match(await page.locator('footer').textContent(), /© 2026 Navigation.*示例备字 1 号/s);
    assert.deepEqual(faults, []);
    await close();
  }
});
