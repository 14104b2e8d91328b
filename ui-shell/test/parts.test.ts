import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { all, PARTS, TRANSLATION_PARTS, type Part } from '../src/reader/parts.ts';
import { showDocument } from './fixture.ts';

const folder = path.resolve(import.meta.dirname, '../src/reader');

it('every part is in the article that the host serves, except those of a translation', () => {
  showDocument('article');
  const missing = (Object.keys(PARTS) as Part[]).filter((part) => !(part in TRANSLATION_PARTS) && !all(document, part).length);
  expect(missing).toEqual([]);
});

/** Classes of what the tools themselves add. */
const OWN = /^\.(fig-tools|table-tools|formula-tools|table-sort|xref-popover|translate|mh-hidden|fig-open|viewer-caption|aligned|aligned-caption)$/;

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
