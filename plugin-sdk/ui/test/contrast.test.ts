import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

type Tokens = Record<string, string>;
/** Red, green and blue of 255, and opacity of 1. */
type Colour = [number, number, number, number];

/** The declarations of custom properties in the first block of a style sheet that begins with `start`. */
const block = (css: string, start: string): Tokens => {
  const from = css.indexOf(start);
  if (from < 0) throw new Error(`no block ${start}`);
  const body = css.slice(from + start.length, css.indexOf('}', from));
  return Object.fromEntries([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value?.trim()]));
};

const SHEET = read('plugin-sdk/ui/src/tokens.css');
const LIGHT = block(SHEET, ':root {');
const DARK = { ...LIGHT, ...block(SHEET, ":root[data-theme='dark'] {") };

/** The presets with the names that the host gives their colours. */
const PRESETS = read('sites/platform.toml')
  .split('[[themes]]')
  .slice(1)
  .map((text) => {
    const part = (name: string): Tokens => {
      const body = text.split(`[themes.${name}]`)[1]?.split('\n[')[0] ?? '';
      const of = (key: string) => new RegExp(`^${key} = "(#[0-9a-f]{6})"`, 'm').exec(body)?.[1] ?? '';
      return {
        '--color-primary': of('themeColorPrimary'),
        '--color-primary-hover': of('themeColorHoverPrimary'),
        '--color-other': of('otherColor'),
        '--color-tint': of('bgOpacity'),
        '--color-line': of('bottomLineColor'),
      };
    };
    return { name: /name = "(.*)"/.exec(text)?.[1] ?? '', light: part('light'), dark: part('dark') };
  });

function colour(value: string, tokens: Tokens): Colour {
  const text = value.trim();
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (hex) {
    const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
    return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16)).concat(1) as Colour;
  }
  const variable = /^var\((--[\w-]+)(?:,(.*))?\)$/.exec(text);
  if (variable) return colour(tokens[variable[1] ?? ''] || (variable[2] ?? ''), tokens);
  const rgb = /^rgb\((\d+) (\d+) (\d+) \/ (\d+)%\)$/.exec(text);
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3]), Number(rgb[4]) / 100];
  const mix = /^color-mix\(in srgb, (.*) (\d+)%, (.*)\)$/.exec(text);
  if (mix) {
    const [one, other, share] = [colour(mix[1] ?? '', tokens), colour(mix[3] ?? '', tokens), Number(mix[2]) / 100];
    return [0, 1, 2].map((at) => (one[at] ?? 0) * share + (other[at] ?? 0) * (1 - share)).concat(1) as Colour;
  }
  throw new Error(`not a colour that this test reads: ${text}`);
}

const over = (top: Colour, ground: Colour): Colour => [0, 1, 2].map((at) => (top[at] ?? 0) * top[3] + (ground[at] ?? 0) * (1 - top[3])).concat(1) as Colour;

/** Relative luminance of WCAG 2. */
function luminance(of: Colour): number {
  const [red = 0, green = 0, blue = 0] = of.map((value) => (value / 255 <= 0.040_45 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(text: string, ground: string, tokens: Tokens, shown: (of: Colour) => Colour = (of) => of): number {
  const below = over(colour(ground, tokens), colour('var(--paper)', tokens));
  const above = over(colour(text, tokens), below);
  const [dark, light] = [luminance(shown(above)), luminance(shown(below))].sort((left, right) => left - right) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** What is left of a colour on a grey page: `grayscale(1)` weighs the components as they are written. */
function grey([red, green, blue, opacity]: Colour): Colour {
  const level = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [level, level, level, opacity];
}

/** Texts stand on any of these. */
const GROUNDS = ['--paper', '--paper-2', '--paper-3', '--tint'];
const TEXTS = ['--ink', '--ink-2', '--ink-3', '--link', '--link-hover', '--color-other'];
/** Borders by which a control is known. */
const CONTROLS = ['--rule-strong', '--link'];

/** Pairs that the style sheets declare in one rule, by custom properties: colour and background. */
const declared = ['ui-shell/src', 'ui-modules', 'plugin-sdk/ui/src']
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)))
  .filter((file) => file.endsWith('.css') && !/\b(node_modules|dist)\b/.test(file))
  .flatMap((file) => read(file).match(/\{[^{}]*\}/g) ?? [])
  .flatMap((rule) => {
    const text = /(?:^|[;{\s])color: (var\(--[\w-]+\));/.exec(rule)?.[1];
    const ground = /background(?:-color)?: (var\(--[\w-]+\));/.exec(rule)?.[1];
    return text && ground ? [`${text} ${ground}`] : [];
  });

describe.each(PRESETS)('$name', (preset) => {
  it.each(['light', 'dark'] as const)('has enough contrast on %s paper', (scheme) => {
    const tokens = { ...(scheme === 'light' ? LIGHT : DARK), ...preset[scheme] };
    const faults: string[] = [];
    const check = (text: string, ground: string, least: number) => {
      for (const [page, shown] of [
        ['', undefined],
        [' of a grey page', grey],
      ] as const) {
        const found = ratio(text, ground, tokens, shown);
        if (found < least) faults.push(`${text} on ${ground}${page}: ${found.toFixed(2)}`);
      }
    };
    for (const ground of GROUNDS) {
      for (const text of TEXTS) check(`var(${text})`, `var(${ground})`, 4.5);
      for (const border of CONTROLS) if (ground !== '--paper-3') check(`var(${border})`, `var(${ground})`, 3);
    }
    // Buttons and bands, whose colours different rules declare.
    for (const ground of ['--link', '--link-hover']) check('var(--on-primary)', `var(${ground})`, 4.5);
    for (const text of ['--on-band', '--on-band-2']) check(`var(${text})`, 'var(--band)', 4.5);
    for (const sign of ['good', 'warn', 'danger']) check(`var(--${sign})`, `var(--${sign}-tint)`, 4.5);
    check('var(--on-mark)', 'var(--mark)', 4.5);
    for (const pair of new Set(declared)) {
      const [text = '', ground = ''] = pair.split(' ');
      check(text, ground, 4.5);
    }
    // The lighter corner of the band on a home page, below small text.
    const lit = over([255, 255, 255, 0.14], colour('var(--band)', tokens));
    const band = {
      ...tokens,
      '--lit': `#${lit
        .slice(0, 3)
        .map((value) => Math.round(value).toString(16).padStart(2, '0'))
        .join('')}`,
    };
    for (const text of ['--on-band', '--on-band-2']) {
      if (ratio(`var(${text})`, 'var(--lit)', band) < 4.5) faults.push(`${text} on the lit band: ${ratio(`var(${text})`, 'var(--lit)', band).toFixed(2)}`);
    }
    expect(faults).toEqual([]);
  });
});

it('reads eleven presets, the pairs of the style sheets, and ratios as WCAG defines them', () => {
  expect(PRESETS).toHaveLength(11);
  expect(new Set(declared).size).toBeGreaterThan(8);
  expect(ratio('#000', '#fff', LIGHT)).toBeCloseTo(21, 5);
  expect(ratio('#767676', '#fff', LIGHT)).toBeCloseTo(4.54, 2);
  expect(ratio('#f00', '#fff', LIGHT, grey)).toBeCloseTo(ratio('#363636', '#fff', LIGHT), 1);
});

it('has the same colours for the dark system and the dark choice', () => {
  expect(block(SHEET, ":root:not([data-theme='light']) {")).toEqual(block(SHEET, ":root[data-theme='dark'] {"));
});
