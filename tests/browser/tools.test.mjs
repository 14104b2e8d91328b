// The reader's tools: cross-references, formulas, tables, figures and references, by mouse, touch and keyboard alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { WCAG, bytesOf, get, useDemo, violations } from './portal.mjs';
import { fetchNothingAhead } from './screen-checks.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** The articles of a home page, and what the host sends of each. */
const articles = new Map();
/** A page in which documents are read that are not shown. */
let blank;
const demo = useDemo({
  prepare: async ({ portal, open }) => {
    blank = (await open()).page;
    const home = await get(portal.port, 'oceanledger', '/en/home/');
    const hrefs = await blank.evaluate((html) => {
      const sent = new DOMParser().parseFromString(html, 'text/html');
      return [...sent.querySelectorAll('.article-card .card-title a')].map((one) => one.getAttribute('href'));
    }, home);
    for (const href of new Set(hrefs)) articles.set(href, await get(portal.port, 'oceanledger', href));
  },
});

/** The first article that contains elements of this kind, at least so many, as the host sends it. */
async function addressWith(selector, least) {
  const count = ([html, wanted]) => new DOMParser().parseFromString(html, 'text/html').querySelectorAll(wanted).length;
  for (const [href, html] of articles) if ((await blank.evaluate(count, [html, selector])) >= least) return href;
  throw new Error(`no article has ${least} of ${selector}`);
}

/** Articles as the tests before have left them, with nothing open: to load one takes more time than a test. A test that fails leaves none. */
const left = new Map();

/** Opens the first article that contains elements of this kind, at its top. `close` leaves it for the next test. */
async function articleWith(selector, options = {}, least = 1) {
  const href = await addressWith(selector, least);
  const key = `${href} ${JSON.stringify(options)}`;
  const opened = left.get(key) ?? (await demo.open({ reducedMotion: 'reduce', ...options }));
  const { page, faults } = opened;
  if (!left.delete(key)) {
    await fetchNothingAhead(page);
    await page.goto(demo.at('oceanledger', href), { waitUntil: 'networkidle' });
  }
  await page.locator('[role="toolbar"]').waitFor();
  // What only readers who have begun to read need is loaded then.
  await page.mouse.move(2, 2);
  await page.evaluate(() => {
    document.activeElement.blur();
    scrollTo({ top: 0, behavior: 'instant' });
  });
  await page.locator('html[data-bar]').waitFor({ state: 'detached' });
  return { page, faults, href, close: () => left.set(key, opened) };
}

const RANGE = '.reader-body a.xref[data-ref-type="bibr"][data-rids]';

test('a range of references shows all of them, also from its last link', async () => {
  const { page, faults, close } = await articleWith(RANGE);
  for (const link of [page.locator(RANGE).first(), page.locator(RANGE).last()]) {
    const ids = (await link.getAttribute('data-rids')).split(' ');
    assert.ok(ids.length > 1);
    await link.scrollIntoViewIfNeeded();
    await link.click();
    const popover = page.locator('.xref-popover');
    await popover.waitFor();
    assert.equal(await popover.locator('.citation').first().isVisible(), true);
    assert.equal(await popover.locator('li.ref').count(), ids.length);
    assert.deepEqual(await violations(page, { include: '.xref-popover', tags: WCAG }), []);
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'hidden' });
  }
  assert.deepEqual(faults, []);
  close();
});

test('both links of a range name what lies between them, without scripts', async () => {
  const { page, close } = await demo.open({ javaScriptEnabled: false });
  let found = 0;
  for (const href of articles.keys()) {
    await page.goto(demo.at('oceanledger', href));
    const pairs = await page.locator(RANGE).evaluateAll((links) =>
      links.flatMap((link) => {
        const next = link.nextSibling?.nextSibling;
        const dash = /^\s*[-–—]\s*$/.test(link.nextSibling?.textContent ?? '') && next?.matches?.('a.xref');
        return dash ? [[Number(link.textContent), Number(next.textContent), link.dataset.rids, next.dataset.rids]] : [];
      }),
    );
    for (const [from, to, first, last] of pairs) {
      assert.equal(first, last);
      assert.equal(first.split(' ').length, to - from + 1, `${href}: ${from}–${to}`);
      found += 1;
    }
  }
  assert.ok(found > 0, 'the demo has ranges of two links');
  await close();
});

test('tools of formulas cover no text on touch screens, and are found by eyes and fingers', async () => {
  const { page, faults, close } = await articleWith('.reader-body .disp-formula[data-latex]', PHONE);
  const covered = await page.evaluate(() => {
    const tools = [...document.querySelectorAll('.formula-tools button')].map((button) => button.getBoundingClientRect());
    const words = [];
    const walker = document.createTreeWalker(document.querySelector('.reader-body'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.textContent.trim() || node.parentElement.closest('.formula-tools, .table-tools, .mh-hidden, button, annotation')) continue;
      if (!node.parentElement.checkVisibility?.({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) words.push([box, node.textContent.trim().slice(0, 40)]);
    }
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return { tools: tools.length, words: words.filter(([box]) => tools.some((tool) => meet(tool, box))).map(([, text]) => text) };
  });
  assert.ok(covered.tools > 0);
  assert.deepEqual(covered.words, []);
  for (const scheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme: scheme });
    assert.deepEqual(await violations(page, { include: '.formula-tools', rules: ['color-contrast', 'target-size'] }), [], scheme);
  }
  assert.deepEqual(faults, []);
  close();
});

test('a formula is copied as TeX and as MathML with the keyboard alone, and screen readers hear it', async () => {
  const { page, faults, close } = await articleWith('.reader-body .disp-formula[data-latex]');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const formula = page.locator('.reader-body .disp-formula[data-latex]').first();
  const latex = await formula.getAttribute('data-latex');
  await formula.locator('.formula-body').focus();
  for (const [name, check] of [
    ['Copy LaTeX', (text) => text === latex],
    ['Copy MathML', (text) => text.startsWith('<math xmlns="http://www.w3.org/1998/Math/MathML"')],
  ]) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), name);
    await page.waitForFunction(() => getComputedStyle(document.activeElement.closest('.formula-tools')).opacity === '1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => [...document.querySelectorAll('[role="status"]')].some((one) => one.textContent === 'Copied'));
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(check(text), text);
  }
  assert.deepEqual(faults, []);
  close();
});

test('a table is sorted with the keyboard alone, and its layout stays', async () => {
  const { page, faults, close } = await articleWith('.table-wrap table:has(thead):not(:has(tbody :is([rowspan], [colspan])))');
  const table = page.locator('table:has(.table-sort)').first();
  await table.waitFor();
  const column = (at) => table.locator(`tbody tr > :nth-child(${at + 1})`).allInnerTexts();
  const button = table.locator('.table-sort').last();
  // Headers of several levels are not in the order of the columns.
  const place = await button.evaluate((element) => {
    const { left, width } = element.getBoundingClientRect();
    const cells = [...element.closest('table').tBodies[0].rows[0].cells].map((cell) => cell.getBoundingClientRect());
    return cells.findIndex((cell) => cell.left <= left + width / 2 && left + width / 2 <= cell.right);
  });
  const before = await column(place);
  const width = (await table.boundingBox()).width;
  await button.focus();
  await page.keyboard.press('Enter');
  await table.locator('th[aria-sort="ascending"]').waitFor();
  const up = await column(place);
  await page.keyboard.press('Enter');
  await table.locator('th[aria-sort="descending"]').waitFor();
  const down = await column(place);
  assert.notDeepEqual(up, down);
  assert.deepEqual([...up].sort(), [...before].sort());
  const numbers = up.map(Number.parseFloat);
  if (numbers.every((number) => !Number.isNaN(number)))
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
    );
  await page.keyboard.press('Enter');
  await table.locator('th[aria-sort]').waitFor({ state: 'detached' });
  assert.deepEqual(await column(place), before);
  assert.equal((await table.boundingBox()).width, width);
  assert.deepEqual(faults, []);
  close();
});

test('a table is saved under its own name, as CSV for Excel and as a workbook', async () => {
  const { page, faults, close } = await articleWith('figure.table .table-wrap');
  const tools = page.locator('.table-tools').first();
  for (const [name, ending] of [
    [/^CSV/, 'csv'],
    [/^Excel/, 'xlsx'],
  ]) {
    const [download] = await Promise.all([page.waitForEvent('download'), tools.getByRole('button', { name }).click()]);
    assert.match(download.suggestedFilename(), new RegExp(`^[\\p{L}\\p{N}-]+_[\\p{L}\\p{N}-]+\\.${ending}$`, 'u'));
    const bytes = await bytesOf(download);
    if (ending === 'csv') {
      assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
      const rows = bytes.subarray(3).toString('utf8').split('\r\n');
      assert.ok(rows.length > 2);
    } else {
      assert.equal(bytes.subarray(0, 2).toString('latin1'), 'PK');
      assert.ok(bytes.includes('xl/worksheets/sheet1.xml'));
    }
  }
  assert.deepEqual(faults, []);
  close();
});

test('a table on the whole screen has its caption and notes, and a header that stays', async () => {
  const { page, faults, close } = await articleWith('figure.table:has(.table-notes):has(thead)', { viewport: { width: 390, height: 500 } });
  const figure = page.locator('figure.table:has(.table-notes):has(thead)').first();
  const caption = (await figure.locator('figcaption .caption-label').innerText()).trim();
  const note = (await figure.locator('.table-notes').innerText()).trim().slice(-30);
  await figure.getByRole('button', { name: 'Full screen' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('table').waitFor();
  const text = await dialog.innerText();
  assert.ok(text.includes(caption) && text.includes(note), text);
  const header = await dialog.locator('.table-wrap').evaluate((wrap) => {
    wrap.scrollTop = 60;
    return wrap.querySelector('thead').getBoundingClientRect().top - wrap.getBoundingClientRect().top;
  });
  assert.ok(Math.abs(header) <= 1, `the header is ${header} px from the top of the scroll box`);
  assert.deepEqual(await violations(page, { include: '[role="dialog"]', tags: WCAG }), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  close();
});

test('Back closes a table on the whole screen, and the article stays', async () => {
  const { page, faults, close, href } = await articleWith('figure.table:has(.table-notes):has(thead)', { viewport: { width: 390, height: 500 } });
  const button = page.locator('figure.table').first().getByRole('button', { name: 'Full screen' });
  for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await button.click();
    await page.getByRole('dialog').locator('table').waitFor();
    await leave();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => !history.state?.covered);
    assert.equal(new URL(page.url()).pathname, href);
  }
  assert.deepEqual(faults, []);
  close();
});

test('on a phone, no number in a table is broken, and what is wider scrolls in its box', async () => {
  const { page, faults, close } = await articleWith('figure.table tbody td', PHONE, 12);
  const broken = await page.locator('.table-wrap table').evaluateAll((tables) =>
    tables.flatMap((table) => {
      const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        for (const { 0: number, index } of texts.currentNode.data.matchAll(/\d[\d.,]*/g)) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + number.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(number);
        }
      }
      return found;
    }),
  );
  assert.deepEqual(broken, []);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  assert.deepEqual(faults, []);
  close();
});

async function openViewer(options) {
  const opened = await articleWith('.reader-section[data-kind="body"] figure.fig img', options, 2);
  // A graphical abstract, which may be the first figure, has a dialog of its own.
  await opened.page.locator('.reader-section[data-kind="body"] figure.fig .fig-open').first().click();
  await opened.page.locator('.viewer-stage img').waitFor();
  return opened;
}
const count = (page) => page.locator('.viewer-count').innerText();
async function closeViewer(page) {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.waitForFunction(() => location.hash === '');
}

test('the figure viewer keeps its keys after a click, and Back closes it in the article', async () => {
  const { page, faults, close, href } = await openViewer();
  const first = await count(page);
  await page.locator('.viewer-stage').click();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.querySelector('.viewer-count').innerText !== before, first);
  assert.ok(await page.evaluate(() => document.activeElement.closest('[role="dialog"]') !== null));
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  assert.equal(new URL(page.url()).pathname, href);
  assert.equal(new URL(page.url()).hash, '');
  await page.waitForFunction(() => document.activeElement?.matches('.fig-open'));
  await page.goForward();
  await page.locator('.viewer-stage img').waitFor();
  await closeViewer(page);
  assert.deepEqual(faults, []);
  close();
});

test('without the script of the viewer, a click on a figure says so, and covers nothing', async () => {
  const href = await addressWith('.reader-section[data-kind="body"] figure.fig img', 2);
  const { page, close } = await demo.open({ reducedMotion: 'reduce' });
  await page.route(/\/assets\/Viewer-[^/]*\.js$/, (route) => route.abort());
  await page.goto(demo.at('oceanledger', href), { waitUntil: 'networkidle' });
  await page.locator('.reader-section[data-kind="body"] figure.fig .fig-open').first().click();
  await page.getByText('The connection failed').first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.waitForFunction(() => location.hash === '');
  assert.equal(new URL(page.url()).pathname, href);
  assert.ok(await page.locator('.reader-section[data-kind="body"] figure.fig img').first().isVisible());
  await close();
});

test('the viewer shows a picture that browsers can show, and downloads the TIFF that it came as', async () => {
  const { page, faults, close } = await articleWith('figure.fig img[data-original]');
  const figure = page.locator('figure.fig:has(img[data-original])').first();
  const label = (await figure.locator('[data-label]').first().innerText()).trim();
  await figure.locator('.fig-open').click();
  const shown = page.locator('.viewer-stage img');
  await page.waitForFunction(() => document.querySelector('.viewer-stage img')?.naturalWidth > 0);
  assert.doesNotMatch(await shown.getAttribute('src'), /\.tiff?$/);
  const waiting = page.waitForEvent('download');
  await page.locator('.viewer-bar a[download]').click();
  const download = await waiting;
  assert.equal(download.suggestedFilename(), `${label}.tif`);
  const bytes = await bytesOf(download);
  const original = readFileSync(path.resolve(import.meta.dirname, '../../sites/demo/ocean-ledger/articles/figures/sparse-wave-buoys-f1.tif'));
  assert.ok(bytes.equals(original), 'it is the file as it came');
  // The other figures came in the form in which they are shown.
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => !document.querySelector('.viewer-bar a[download]').href.endsWith('.tif'));
  await closeViewer(page);
  assert.deepEqual(faults, []);
  close();
});

test('a picture that is pulled away stays on the stage', async () => {
  const { page, faults, close } = await openViewer();
  await page.waitForFunction(() => document.querySelector('.viewer-stage img').naturalWidth > 0);
  const stage = await page.locator('.viewer-stage').boundingBox();
  const [x, y] = [stage.x + stage.width / 2, stage.y + stage.height / 2];
  await page.mouse.dblclick(x, y);
  await page.waitForFunction(() => /scale\(2\.5\)/.test(document.querySelector('.viewer-stage img').style.transform));
  for (const [dx, dy] of [
    [4000, 3000],
    [-4000, -3000],
  ]) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await page.mouse.up();
    const seen = await page.locator('.viewer-stage').evaluate((element) => {
      const image = element.querySelector('img');
      const box = image.getBoundingClientRect();
      const scale = 2.5;
      const padding = Number.parseFloat(getComputedStyle(image).paddingTop);
      const fit = Math.min((element.clientWidth - 2 * padding) / image.naturalWidth, (element.clientHeight - 2 * padding) / image.naturalHeight);
      const [width, height] = [image.naturalWidth * fit * scale, image.naturalHeight * fit * scale];
      const [left, top] = [box.left + (box.width - width) / 2, box.top + (box.height - height) / 2];
      const on = element.getBoundingClientRect();
      const shown = (from, size, start, room) => Math.min(from + size, start + room) - Math.max(from, start);
      return {
        x: shown(left, width, on.left, on.width) - Math.min(width, on.width),
        y: shown(top, height, on.top, on.height) - Math.min(height, on.height),
      };
    });
    assert.ok(Math.abs(seen.x) <= 1 && Math.abs(seen.y) <= 1, JSON.stringify(seen));
  }
  await closeViewer(page);
  assert.deepEqual(faults, []);
  close();
});

test('on touch screens a swipe turns, a pinch zooms, and small pictures lead to each figure', async () => {
  const { page, faults, close } = await openViewer(PHONE);
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const { x, y, width, height } = await page.locator('.viewer-stage').boundingBox();
  const middle = y + height / 2;
  const first = await count(page);
  await touch('touchStart', [x + width * 0.8, middle]);
  for (const at of [0.6, 0.4, 0.2]) await touch('touchMove', [x + width * at, middle]);
  await touch('touchEnd');
  await page.waitForFunction((before) => document.querySelector('.viewer-count').innerText !== before, first);
  const second = await count(page);
  await touch('touchStart', [x + width * 0.45, middle], [x + width * 0.55, middle]);
  for (const apart of [0.1, 0.2, 0.3]) await touch('touchMove', [x + width * (0.45 - apart), middle], [x + width * (0.55 + apart), middle]);
  await touch('touchEnd');
  await page.waitForFunction(() => Number(/scale\(([\d.]+)\)/.exec(document.querySelector('.viewer-stage img').style.transform)?.[1]) > 1.5);
  assert.equal(await count(page), second, 'a pinch does not turn');
  const moved = () => page.locator('.viewer-stage img').evaluate((image) => image.style.transform);
  const before = await moved();
  await touch('touchStart', [x + width * 0.5, middle]);
  for (const at of [0.45, 0.4]) await touch('touchMove', [x + width * at, middle]);
  await touch('touchEnd');
  await page.waitForFunction((transform) => document.querySelector('.viewer-stage img').style.transform !== transform, before);
  assert.equal(await count(page), second, 'one finger moves what is larger than the stage');
  await page
    .locator('.viewer-thumbs button')
    .nth(Number.parseInt(first, 10) - 1)
    .tap();
  await page.waitForFunction((before) => document.querySelector('.viewer-count').innerText === before, first);
  assert.equal(await page.locator('.viewer-thumbs [aria-current="true"]').count(), 1);
  assert.ok(await page.locator('.viewer-caption').isVisible());
  await closeViewer(page);
  assert.deepEqual(faults, []);
  close();
});

test('a footnote opens in a popover with a title', async () => {
  const { page, faults, close } = await articleWith('.reader-body a.xref[data-ref-type="fn"]');
  await page.locator('.reader-body a.xref[data-ref-type="fn"]').first().click();
  const popover = page.locator('.xref-popover');
  await popover.waitFor();
  assert.equal(await popover.getByText('Footnote', { exact: true }).isVisible(), true);
  assert.ok((await popover.innerText()).length > 30, 'the note follows');
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
  close();
});

test('headings of sections have the colour of the theme, and smaller ones the size of their level', async () => {
  const { page, close } = await articleWith('.reader-body h3');
  const [theme, ...headings] = await page.evaluate(() => {
    const of = (selector) => {
      const { color, fontSize } = getComputedStyle([...document.querySelectorAll(selector)].find((one) => one.offsetWidth > 1));
      return [color, Number.parseFloat(fontSize)];
    };
    return [of('.reader-body p a[href]'), of('.reader-body h2.sec-title'), of('.reader-body h3'), of('.reader-body p')];
  });
  const [[first, large], [second, middle], [, small]] = headings;
  assert.equal(first, theme[0]);
  assert.notEqual(second, first);
  assert.ok(large > middle && middle >= small, `${large} ${middle} ${small}`);
  close();
});

test('a reference leads to where it is cited and back, with the keyboard alone', async () => {
  const { page, faults, close } = await articleWith('.reader-body a.xref[data-ref-type="bibr"]');
  const place = page.locator('.ref-cited a').first();
  await place.waitFor();
  const reference = await page.locator('.ref:has(.ref-cited a)').first().getAttribute('id');
  await place.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction((id) => {
    const link = document.activeElement;
    return link?.matches('a.xref') && [link.hash.slice(1), ...(link.dataset.rids ?? '').split(' ')].includes(id);
  }, reference);
  assert.equal(await page.locator('.xref-popover').count(), 0);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Back to the reference');
  await page.keyboard.press('Enter');
  await page.waitForFunction((id) => document.activeElement?.id === id, reference);
  assert.equal(await page.locator('.xref-popover').count(), 0, 'the link beside the button was not pressed');
  assert.deepEqual(faults, []);
  close();
});

test('accessible names contain the visible texts', async () => {
  const { page, close } = await articleWith('a.orcid');
  assert.deepEqual(await violations(page, { rules: ['label-content-name-mismatch', 'listitem', 'target-size'] }), []);
  close();
});
