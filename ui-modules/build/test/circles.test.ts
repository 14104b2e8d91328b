// @vitest-environment node
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { circles, folderImports } from '../circles.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'masthead-circles-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
const found = () => circles(folderImports(root, ['src'], { '@masthead/ui-sdk': 'src/sdk' }));

it('accepts folders that import in one direction, and files of one folder that import each other', () => {
  write('src/main.ts', "import { a } from './page/a.ts';\nimport './page/style.css';");
  write('src/page/a.ts', "import { b } from './b.ts';\nimport { useT } from '@masthead/ui-sdk';");
  write('src/page/b.ts', "import { a } from './a.ts';");
  write('src/sdk/index.ts', "import { useMemo } from 'react';");
  expect(found()).toEqual([]);
});

it.each([
  ['a static import', "import type { Main } from '../main.ts';"],
  ['a lazy import', "const main = () => import('../main.ts');"],
  ['an import over several lines', "import {\n  one,\n  two,\n} from '../main.ts';"],
])('reports two folders that import each other by %s', (_, code) => {
  write('src/main.ts', "import { a } from './page/a.ts';");
  write('src/page/a.ts', code);
  expect(found()).toEqual([['src/main.ts imports ./page/a.ts', 'src/page/a.ts imports ../main.ts']]);
});

it('reports a circle through a package and a third folder', () => {
  write('src/page/a.ts', "import { Link } from '@masthead/ui-sdk/shell';");
  write('src/sdk/index.ts', "export { b } from '../reader/b.ts';");
  write('src/reader/b.ts', "import { a } from '../page/a.ts';");
  expect(found()).toHaveLength(1);
  expect(found()[0]).toHaveLength(3);
});
