// @vitest-environment node
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as i18next from 'i18next';
import * as React from 'react';
import * as reactI18next from 'react-i18next';
import * as JsxRuntime from 'react/jsx-runtime';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportedNames, sdkIndex } from '../build/container.ts';
import { uiModule } from '../build/uiModule.ts';
import { SDK_VERSION } from '../src/contract/version.ts';
import { buildThirdParty } from '../../../ui-shell/test/thirdParty.ts';

interface Container {
  init(scope: unknown): Promise<void>;
  get(name: string): Promise<() => { default: { id: string; contract: number; messages: object } }>;
}

const id = 'footer-friendship-links';
const dist = mkdtempSync(path.join(tmpdir(), 'masthead-'));
const preload = () => JSON.parse(readFileSync(path.join(dist, 'preload.json'), 'utf8'));
// A new copy of the container each time: its state is its own.
let copies = 0;
const load = () => import(/* @vite-ignore */ `${pathToFileURL(path.join(dist, preload().entry)).href}?${(copies += 1)}`) as Promise<Container>;
const share = (version: string, lib: unknown) => ({ [version]: { lib: () => lib } });

beforeAll(async () => {
  const config = uiModule(path.resolve(import.meta.dirname, '../../../ui-modules', id));
  await build({ ...config, configFile: false, logLevel: 'silent', build: { ...config.build, outDir: dist } });
}, 60_000);
afterAll(() => rmSync(dist, { recursive: true }));

describe('a built module', () => {
  it('is one script, one style sheet and preload.json', () => {
    const files = readdirSync(path.join(dist, 'assets'));
    expect(files.filter((file) => file.endsWith('.js'))).toHaveLength(1);
    expect(files.filter((file) => file.endsWith('.css'))).toHaveLength(1);
    expect(preload()).toMatchObject({ id, slot: 'footer.rows', contract: 1, files: [] });
    expect(preload().entry).toMatch(/^assets\/footer-friendship-links-[\w-]{8}\.js$/);
  });

  it('states the integrity of the files as they lie on the disk', () => {
    const { entry, integrity, css } = preload();
    for (const file of [{ file: entry, integrity }, ...css]) {
      const hash = createHash('sha384')
        .update(readFileSync(path.join(dist, file.file)))
        .digest('base64');
      expect(file.integrity).toBe(`sha384-${hash}`);
    }
  });

  it('runs with the shares of its host and carries no React of its own', async () => {
    const sdk = { defineModule: (spec: object) => ({ ...spec, made: true }), useBootstrap: () => undefined, useT: () => undefined };
    const container = await load();
    await container.init({ react: share('19.3.1', React), 'react/jsx-runtime': share('19.3.1', JsxRuntime), '@masthead/ui-sdk': share(SDK_VERSION, sdk) });
    const module = (await container.get('./module'))().default;
    expect(module).toMatchObject({ id, contract: 1, made: true });
    expect(readFileSync(path.join(dist, preload().entry), 'utf8')).not.toContain('__SECRET_INTERNALS');
    await expect(container.get('./other')).rejects.toThrow('does not expose ./other');
  });

  it.each([
    ['18.3.1', 'needs react ^19.0.0; the host has 18.3.1'],
    ['20.0.0', 'the host has 20.0.0'],
  ])('refuses React %s in one sentence', async (version, message) => {
    const container = await load();
    await expect(
      container.init({ react: share(version, React), 'react/jsx-runtime': share('19.3.1', JsxRuntime), '@masthead/ui-sdk': share(SDK_VERSION, {}) }),
    ).rejects.toThrow(message);
  });

  it('refuses a host without the SDK', async () => {
    await expect((await load()).init({ react: share('19.3.1', React), 'react/jsx-runtime': share('19.3.1', JsxRuntime) })).rejects.toThrow(
      `needs @masthead/ui-sdk ^${SDK_VERSION}; the host has none`,
    );
  });
});

describe('a module that imports i18next', () => {
  it('gets the instance of its host, which other modules do not ask for', async () => {
    const { script } = await buildThirdParty(
      `import { defineModule } from '@masthead/ui-sdk';
import i18next, { createInstance } from 'i18next';
import { Trans, useTranslation } from 'react-i18next';
export default defineModule({ id: 'third-party', slot: 'footer', contract: 1, Component: Trans, useTranslation, i18next, createInstance });`,
    );
    const sdk = share(SDK_VERSION, { defineModule: (spec: object) => spec });
    const host = { '@masthead/ui-sdk': sdk, i18next: share('26.7.2', i18next), 'react-i18next': { '17.1.13': { get: async () => () => reactI18next } } };
    const container = (await import(/* @vite-ignore */ pathToFileURL(script).href)) as Container;
    await container.init(host);
    const { Trans, useTranslation } = reactI18next;
    const { createInstance } = i18next;
    expect((await container.get('./module'))().default).toMatchObject({ Component: Trans, useTranslation, createInstance, i18next: i18next.default });
    expect(readFileSync(script).length).toBeLessThan(4000);

    const asked: string[] = [];
    const scope = { react: share('19.3.1', React), 'react/jsx-runtime': share('19.3.1', JsxRuntime), '@masthead/ui-sdk': sdk };
    await (await load()).init(new Proxy(scope, { get: (all, name: keyof typeof scope) => (asked.push(name), all[name]) }));
    expect(asked).toContain('@masthead/ui-sdk');
    expect(asked.filter((name) => name.includes('i18next'))).toEqual([]);
  }, 60_000);
});

it('reads the SDK names that modules may import', () => {
  expect(exportedNames(sdkIndex)).toEqual(expect.arrayContaining(['defineModule', 'useT', 'Dialog', 'Slot', 'useApi']));
});
