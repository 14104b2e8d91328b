import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { all, COMMENT_PARTS, PARTS, PICTURE_PARTS, TRANSLATION_PARTS, type Part } from '../src/reader/parts.ts';
import { showDocument } from './fixture.ts';

const folder = path.resolve(import.meta.dirname, '../src/reader');

it('every part is in the article that the host serves, except those of a translation, of pictures and of comments', () => {
  showDocument('article');
  const elsewhere = { ...TRANSLATION_PARTS, ...PICTURE_PARTS, ...COMMENT_PARTS };
  const missing = (Object.keys(PARTS) as Part[]).filter((part) => !(part in elsewhere) && !all(document, part).length);
  expect(missing).toEqual([]);
});

/** Classes of what the tools themselves add. */
const OWN = /^\.(fig-tools|table-tools|formula-tools|table-sort|xref-popover|translate|mh-hidden|fig-open|viewer-caption|aligned|aligned-caption)$/;

/** What the tools themselves write, on the article, or on what they add. */
const WRITTEN = ['size', 'view', 'translate'];

it('the tools read no attribute of the host that is not in the contract', () => {
  const found = readdirSync(folder)
    .filter((file) => /\.tsx?$/.test(file) && file !== 'parts.ts')
    .flatMap((file) => {
      const source = readFileSync(path.join(folder, file), 'utf8');
      const read = [...source.matchAll(/\bdataset(?:\[['"](\w+)['"]\]|\.(\w+)|(?!\w))/g)].map((match) => match[1] ?? match[2] ?? 'dataset');
      const named = [...source.matchAll(/(?:getAttribute|hasAttribute)\(\s*['"](data-[\w-]+)/g)].map((match) => match[1] ?? '');
      return [...read.filter((name) => !WRITTEN.includes(name)), ...named].map((name) => `${file}: ${name}`);
    });
  expect(found).toEqual([]);
});

it('the tools find parts of the host by attributes of the contract, not by class names', () => {
  const found = readdirSync(folder)
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const source = readFileSync(path.join(folder, file), 'utf8');
      const selectors = [...source.matchAll(/(?:querySelector(?:All)?|closest|matches)(?:<[^>]*>)?\(\s*(['"`])(.*?)\1/gs)].map((match) => match[2] ?? '');
      return selectors.flatMap((selector) => (selector.match(/\.[a-z][\w-]*/g) ?? []).filter((name) => !OWN.test(name)).map((name) => `${file}: ${name}`));
    });
  expect(found).toEqual([]);
});
