import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const files = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => ending.test(file) && !/\b(node_modules|dist|test)\b/.test(file));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sheets = ['ui-shell/src', 'ui-modules', 'plugin-sdk/ui/src'].flatMap((folder) => files(folder, /\.css$/));

/** Selectors of what has sides in the source itself: borders of cells, and columns of matrices. */
const SIDED = /line-(left|right)|columnalign/;
const PHYSICAL = /^\s*((?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|left|right|float|(?:text-align|clear): (?:left|right))\b/;
/** A rule that is for one direction says so. */
const ONE_WAY = /\[dir=/;
const POSITION = /^\s*(object|background)-position: [^;]*\b(left|right)\b/;

it('lays out by the direction of the text, not by left and right', () => {
  expect(sheets.length).toBeGreaterThan(10);
  const found: string[] = [];
  for (const sheet of sheets) {
    const text = read(sheet);
    for (const [, selector = '', body = ''] of text.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      if (SIDED.test(selector)) continue;
      for (const line of body.split(';')) {
        const mirrored = text.includes(`[dir='rtl'] ${selector.trim().split('\n').at(-1)}`);
        if (PHYSICAL.test(line) || (POSITION.test(line) && !ONE_WAY.test(selector) && !mirrored)) found.push(`${sheet}: ${selector.trim()} {${line.trim()}}`);
      }
    }
  }
  expect(found).toEqual([]);
});

it('draws its icons: no arrows, dingbats or other characters for them', () => {
  const icons = /[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u{1f300}-\u{1faff}]/u;
  const templates = [
    ...files('ui-shell/src', /\.tsx?$/),
    ...files('ui-modules', /\.tsx?$/),
    ...files('plugin-sdk/ui/src', /\.tsx?$/),
    ...files('host/web/src/page', /\.rs$/),
    ...sheets,
  ];
  expect(templates.filter((file) => icons.test(read(file)))).toEqual([]);
});

it('keeps the page of long words and long titles within the window', () => {
  const base = read('plugin-sdk/ui/src/base.css');
  const anywhere = /([^{}]*)\{\s*overflow-wrap: anywhere;\s*\}/.exec(base)?.[1] ?? '';
  for (const part of ['h1', 'dd', '.article-card', '.reader-section', '.authors', '.keywords', '.reader-outline']) expect(anywhere).toContain(part);
  expect(anywhere).toMatch(/:not\([^)]*\btd\b/);
});

it('has no transition between pages for readers who want no motion', () => {
  const base = read('plugin-sdk/ui/src/base.css');
  expect(base.indexOf('@view-transition')).toBeGreaterThan(base.indexOf('(prefers-reduced-motion: no-preference)'));
  expect(base).toMatch(/prefers-reduced-motion: reduce\)[\s\S]*::view-transition-group\(\*\)[\s\S]*animation: none !important/);
});

it('ships the serif under the names that the tokens use, shown at once in a face of its size', () => {
  const [fonts, tokens] = [read('ui-shell/src/styles/fonts.css'), read('plugin-sdk/ui/src/tokens.css')];
  const families = [...new Set([...fonts.matchAll(/font-family: '([^']+)'/g)].map((match) => match[1]))];
  for (const family of families) expect(tokens).toContain(`'${family}'`);
  // The build takes the quotes away, and browsers drop a face whose name begins with a generic family.
  for (const family of families) expect(family).not.toMatch(/^(serif|sans|system|ui|monospace|cursive|fantasy|math|emoji|fangsong)\b/i);
  for (const face of fonts.match(/@font-face \{[^}]*\}/g) ?? []) {
    if (face.includes('url(')) expect(face).toContain('font-display: swap');
    else for (const part of ['size-adjust', 'ascent-override', 'descent-override', 'line-gap-override: 0%']) expect(face).toContain(part);
  }
});
