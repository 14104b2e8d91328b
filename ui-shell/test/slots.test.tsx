import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineModule, SLOTS, type Bootstrap, type ModuleProps, type SlotModule, type SlotName } from '@masthead/ui-sdk';
import { act, screen } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { showDocument } from './fixture.ts';

function Probe({ article, permissions, label }: ModuleProps<'article.sections', { label: string }>) {
  return <p>{[label, article.doi, typeof permissions].join(' ')}</p>;
}
function HomeProbe({ site, lang, label, layout, channel, sections }: ModuleProps<'home.sections', { label: string }>) {
  const told = sections.map(({ kind, place, size }) => `${kind}-${place}-${size}`).join(' ');
  return <p title={`${layout} ${channel} ${told}`}>{[label, site.name, lang].join(' ')}</p>;
}
vi.mock('#loader', async () => {
  const real = await vi.importActual<typeof import('../src/loader/source.ts')>('../src/loader/source.ts');
  const probes: Record<string, () => unknown> = {
    probe: () => defineModule({ id: 'probe', slot: 'article.sections', contract: 1, Component: Probe }),
    'home-probe': () => defineModule({ id: 'home-probe', slot: 'home.sections', contract: 1, Component: HomeProbe }),
  };
  return { loadModule: async (ref: SlotModule) => probes[ref.module]?.() ?? real.loadModule(ref) };
});
const { boot } = await import('../src/boot.tsx');

let root: Root | undefined;
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
});

const repository = path.resolve(import.meta.dirname, '../..');
const sources = (folder: string, ending: RegExp): string =>
  readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => readFileSync(path.join(repository, folder, file), 'utf8'))
    .join('\n');

/** Shows a recorded document of which a slot has modules with these labels, which a plugin could have given. */
async function showWith(recorded: string, slot: SlotName, module: string, labels: string[]): Promise<void> {
  showDocument(recorded);
  const script = document.querySelector('script#bootstrap') as HTMLScriptElement;
  const bootstrap = JSON.parse(script.textContent) as Bootstrap & { slots: Record<SlotName, SlotModule[]> };
  const entry = `/assets/modules/${module}/${module}.js`;
  bootstrap.slots[slot] = labels.map((label) => ({ module, entry, integrity: 'sha384-recorded', css: [], props: { label } }));
  script.textContent = JSON.stringify(bootstrap);
  await act(async () => {
    root = await boot();
  });
}

it('a module of every slot is shown: the host, the shell or a module of the frame has the place', () => {
  const host = sources('host/web/src/page', /\.rs$/);
  const folders = ['ui-shell/src', 'plugin-sdk/ui/src', ...readdirSync(path.join(repository, 'ui-modules')).map((id) => `ui-modules/${id}/src`)];
  const components = folders.flatMap((folder) => {
    try {
      return [sources(folder, /\.tsx$/)];
    } catch {
      // What is not a module has no sources.
      return [];
    }
  });
  const placed = (slot: string) => host.includes(`data-slot="${slot}"`) || components.some((code) => new RegExp(`<Slot(View)? name="${slot}"`).test(code));
  expect(Object.keys(SLOTS).filter((slot) => !placed(slot))).toEqual([]);
  // The console of administrators is not there yet: a module for it is refused, like one for any slot that pages do not have.
  expect(Object.keys(SLOTS)).not.toContain('admin.pages');
});

it('a module of the sections of an article stands behind its text, and gets the article', async () => {
  await showWith('article', 'article.sections', 'probe', ['probe']);
  const shown = await screen.findByText('probe 10.5555/ocl.2026.06.02.0097 object');
  const place = shown.closest('[data-slot="article.sections"]');
  expect(place?.closest('[data-body]')).toBeTruthy();
  expect(place?.previousElementSibling?.matches('section[data-section]')).toBe(true);
  expect(place?.nextElementSibling?.className).toBe('article-information');
});

it('modules of the home page stand in the order of the page, where its sections leave them their place, and get the site and the sections', async () => {
  await showWith('plugins-home', 'home.sections', 'home-probe', ['tides', 'currents']);
  const shown = await screen.findByText('tides Tides Desk en');
  expect(shown.title).toBe('journal 0 hero-full-0 contents-full-8 plugins-full-0');
  const place = shown.closest('main > [data-slot="home.sections"]');
  expect(place?.textContent).toBe('tides Tides Desk encurrents Tides Desk en');
  expect(place?.previousElementSibling?.matches('section.block')).toBe(true);
  expect(place?.nextElementSibling).toBeNull();
});
