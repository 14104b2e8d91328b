import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isLargeAtHome, searches } from '../../../ui-shell/test/searchWidget.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

searches(module, manifest);
isLargeAtHome(module);

it('is as high as the window is wide times 0.6, with 0.4 of it above the title', () => {
  const css = readFileSync(path.resolve(import.meta.dirname, '../src/view.css'), 'utf8');
  const stage = /\.page-home [^{]*\.search-stage \{([^}]*)\}/.exec(css)?.[1] ?? '';
  const [height, top] = [/min-height: ([\d.]+)vw/, /padding-block: ([\d.]+)vw/].map((rule) => Number(rule.exec(stage)?.[1]));
  expect(height).toBe(60);
  expect(top).toBeCloseTo(0.4 * 60);
});
