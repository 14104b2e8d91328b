// The text of an article in its window: where links land, which section the outline marks, popovers that the pointer enters, the boxes in
// which tables and formulas scroll, and style sheets. All tests have one page, and each begins at its top: loading it takes more time than they do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, tooWide, useDemo, waitForPlace, waitForTools } from './portal.mjs';

let opened;
useDemo({
  prepare: async ({ at, articleIn, open }) => {
    const article = await articleIn('oceanledger', '/en/issue/2026/2', 'How few buoys are enough');
    opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    await page.goto(at('oceanledger', article), { waitUntil: 'networkidle' });
    await waitForTools(page);
    // What only readers who have begun to read need is loaded then.
    await page.mouse.move(2, 2);
    await page.locator('.table-tools button').first().waitFor();
  },
});

/** The page at its top, where it has no bar, in a window of this width. */
async function atTop(width) {
  const { page } = opened;
  await page.mouse.move(2, 2);
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.locator('html[data-bar]').waitFor({ state: 'detached' });
  return page;
}
const bars = (page) => page.locator('html[data-bar]').count();

for (const [width, top] of [
  [1280, 150],
  [390, 55],
]) {
  test(`at ${width} px, places in the text to which links lead are ${top} px below the upper edge of the window, without the bar and with it`, async () => {
    const page = await atTop(width);
    for (const [id, hasBar] of [
      ['a-sec-trial', 0],
      ['a-t1', 1],
      ['a-sec-intro', 1],
      ['a-r5', 1],
    ]) {
      assert.equal(await bars(page), hasBar, `the bar before the link to ${id}`);
      await page.evaluate((fragment) => {
        location.hash = fragment;
      }, id);
      await waitForPlace(page, `#${id}`, top);
      // The bar that comes with the scrolling does not change the place.
      await page.locator('html[data-bar] .compact-bar').waitFor();
      await drawn(page);
      await waitForPlace(page, `#${id}`, top);
    }
    assert.deepEqual(opened.faults, []);
  });
}

test('the outline marks the section that is read, and no other', async () => {
  const page = await atTop(1280);
  const isMarked = (id) =>
    page
      .waitForFunction((wanted) => {
        const marked = [...document.querySelectorAll('.reader-outline [aria-current]')];
        return marked.length === 1 && marked[0].hash === `#${wanted}` && marked[0].getAttribute('aria-current') === 'location';
      }, id)
      .catch((error) => assert.fail(`the outline does not mark ${id} alone: ${error.message}`));
  await isMarked('a-section-abstract');
  for (const id of ['a-sec-trial', 'a-sec-stop', 'a-sec-discussion']) {
    await page.locator(`#${id}`).evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
    await isMarked(id);
  }
  // The last section may be too short to get to the top of the window.
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
  const links = page.locator('.reader-outline a');
  await isMarked(await links.last().evaluate((link) => link.hash.slice(1)));
  assert.deepEqual(opened.faults, []);
});

/** Waits until the timers of the page that run now, and last less than half a second, have ended: timers end in the order of their times. */
const timersEnd = (page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)));

test('the pointer may go from a reference into its popover, which closes when the pointer has left both', async () => {
  const page = await atTop(1280);
  const link = page.locator('.reader-body a.xref[data-ref-type="bibr"]').first();
  const popover = page.locator('.xref-popover');
  await link.hover();
  await popover.waitFor();
  await popover.hover();
  await timersEnd(page);
  assert.ok(await popover.isVisible(), 'it stays open while the pointer is in it');
  assert.equal(await link.getAttribute('data-open'), '');
  await page.mouse.move(2, 2);
  await popover.waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

test('a mark in a table shows its note in a popover, within the window', async () => {
  const page = await atTop(1280);
  await page.locator('.reader-body .table-wrap tbody a.xref').first().hover();
  const popover = page.locator('.xref-popover');
  await popover.getByText('T02 and T03 are 3.1 km apart').waitFor();
  assert.equal(await popover.locator('table').count(), 0, 'the note alone');
  const { x, y, width, height } = await popover.boundingBox();
  assert.ok(x >= 0 && x + width <= 1280 && y >= 0 && y + height <= 900, JSON.stringify({ x, y, width, height }));
  await page.mouse.move(2, 2);
  await popover.waitFor({ state: 'detached' });
  assert.deepEqual(opened.faults, []);
});

test('a formula that is wider than the text scrolls in its own box, and the page does not', async () => {
  let found = 0;
  for (const width of [390, 320]) {
    const page = await atTop(width);
    const wide = await page.locator('.reader-body .disp-formula').evaluateAll((all) =>
      all
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => {
          box.scrollLeft = box.scrollWidth;
          const scrolled = box.scrollLeft;
          box.scrollLeft = 0;
          return { id: box.id, scrolls: scrolled > 0 && getComputedStyle(box).overflowX === 'auto' };
        }),
    );
    found += wide.length;
    assert.deepEqual(
      wide.filter(({ scrolls }) => !scrolls),
      [],
      `${width} px`,
    );
    assert.ok((await tooWide(page)) <= 0, `the page is wider than ${width} px`);
  }
  assert.ok(found > 0, 'the article has a formula that is wider than the text of a phone');
});

/**
 * Where the parts of a table stand in its box, in px from the box's left and upper edges: the header, its first cell, the first cell of each row, and
 * another cell. `top` tells which part is on top at three places of the box: in the corner, in the header, and in the first column.
 */
const partsOf = (box) =>
  box.evaluate((element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const edge = element.getBoundingClientRect();
    const place = (part) => {
      const { left, top } = part.getBoundingClientRect();
      // The sum makes a rounded -0 a 0.
      return { left: Math.round(left - edge.left) + 0, top: Math.round(top - edge.top) + 0 };
    };
    const { tHead, tBodies } = element.querySelector('table');
    const rows = [...tBodies[0].rows];
    const [corner] = tHead.rows[0].cells;
    const topAt = (x, y) => document.elementFromPoint(edge.left + x, edge.top + y);
    return {
      header: place(tHead).top,
      corner: place(corner),
      column: [...new Set(rows.map((row) => place(row.cells[0]).left))],
      other: place(rows[0].cells[2]),
      top: {
        corner: corner.contains(topAt(10, 10)),
        header: tHead.contains(topAt(edge.width / 2, 10)),
        // Above the scroll bar.
        column: rows.some((row) => row.cells[0].contains(topAt(10, edge.height - 30))),
      },
    };
  });

test('in a table that is larger than its box, the header and the first column stay in view while it scrolls', async () => {
  const page = await atTop(390);
  const box = page.locator('.reader-body .table-wrap').first();
  // A header with the buttons that sort stays, too.
  await box.locator('.table-sort').first().waitFor();
  // No table of the demo is higher than the 600 px of a box, and whether it is wider than a phone depends on the fonts.
  const limit = (size) =>
    box.evaluate((element, [width, height]) => {
      Object.assign(element.style, { maxWidth: width, maxHeight: height });
      dispatchEvent(new Event('resize'));
      return ['is-wide', 'is-scrolling'].filter((name) => element.classList.contains(name));
    }, size);
  const unlimited = await limit(['', '']);
  assert.ok(!unlimited.includes('is-scrolling'), 'the box is as high as the table');
  assert.deepEqual(await limit(['180px', '240px']), ['is-wide', 'is-scrolling'], 'the table is wider and higher than its box');
  const before = await partsOf(box);
  const [right, down] = [10, 60];
  const scrolled = await box.evaluate(
    (element, [left, top]) => {
      element.scrollTo({ left, top, behavior: 'instant' });
      return [element.scrollLeft, element.scrollTop];
    },
    [right, down],
  );
  assert.deepEqual(scrolled, [right, down]);
  await drawn(page);
  const after = await partsOf(box);
  assert.deepEqual(after.other, { left: before.other.left - right, top: before.other.top - down }, 'other cells move');
  assert.deepEqual([after.header, after.corner], [0, { left: 0, top: 0 }], 'the header stays at the upper edge, its first cell at both edges');
  assert.deepEqual(after.column, [0], 'the first column stays at the left edge');
  assert.deepEqual(after.top, { corner: true, header: true, column: true }, 'no other cell covers them');
  assert.ok((await tooWide(page)) <= 0, 'the page does not scroll sideways');
  await box.evaluate((element) => element.scrollTo({ left: 0, top: 0, behavior: 'instant' }));
  assert.deepEqual(await limit(['', '']), unlimited);
  assert.deepEqual(opened.faults, []);
});

test('no style sheet is loaded again, whatever of the reader was loaded later', async () => {
  const page = await atTop(1280);
  // The list of citations of each reference, whose code knows the styles of the entry as its own.
  await page.locator('.ref-cited').first().waitFor({ state: 'attached' });
  const sheets = await page
    .locator('link[rel=stylesheet]')
    .evaluateAll((links) => links.flatMap((link) => link.dataset.parts?.split(' ') ?? [new URL(link.href).pathname]));
  assert.ok(
    sheets.some((sheet) => sheet.includes('/main-')),
    String(sheets),
  );
  assert.deepEqual(sheets, [...new Set(sheets)]);
});
