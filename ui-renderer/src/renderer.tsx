// The script that the host runs in its sandbox, one instance for each rendering (host/runtime/src/rendering). It evaluates a module's own
// container, the same file that browsers load, and then calls these functions.
import { denyClockAndChance } from './globals.ts';
import * as sdk from '@masthead/ui-sdk';
import type { UiModule } from '@masthead/ui-sdk';
import { refusal, SHARED_VERSIONS } from '@masthead/ui-sdk/shell';
import * as i18next from 'i18next';
import { version as i18nextVersion } from 'i18next/package.json';
import * as React from 'react';
import * as reactI18next from 'react-i18next';
import { version as reactI18nextVersion } from 'react-i18next/package.json';
import * as JsxRuntime from 'react/jsx-runtime';
import { Renderer, type Job } from './render.tsx';

/** A module-federation container. */
interface Container {
  init(scope: object): Promise<void>;
  get(id: string): Promise<() => { default: unknown }>;
}

const share = (version: string, lib: unknown) => ({ [version]: { lib: () => lib } });
/** What the shell shares in browsers (ui-shell/src/loader/federation.ts). */
const shared = {
  react: share(React.version, React),
  'react/jsx-runtime': share(React.version, JsxRuntime),
  i18next: share(i18nextVersion, i18next),
  'react-i18next': share(reactI18nextVersion, reactI18next),
  '@masthead/ui-sdk': Object.fromEntries(SHARED_VERSIONS.map((version) => [version, { lib: () => sdk }])),
};

const renderer = new Renderer();
let failure = '';

async function take(id: string, slot: string, evaluated: Promise<Container>): Promise<void> {
  const container = await evaluated;
  await container.init(shared);
  const module = (await container.get('./module'))().default;
  const why = refusal(module, id, slot);
  if (why) throw new Error(why);
  renderer.add(module as UiModule);
}

Object.assign(globalThis, {
  /** Takes the module whose container is being evaluated; done when no job is pending. */
  mastheadTake(id: string, slot: string, evaluated: Promise<Container>): void {
    failure = `${id}: its script waits for something that does not come`;
    take(id, slot, evaluated).then(
      () => void (failure = ''),
      (error: unknown) => void (failure = `${id}: ${error instanceof Error ? error.message : String(error)}`),
    );
  },
  /** Why the last module was not taken; "" if it was. */
  mastheadFailure: (): string => failure,
  /** The markup of a slot, after one letter: `p` if it is for this page only, else `-`. */
  mastheadRender(job: string): string {
    const { html, ofPage } = renderer.render(JSON.parse(job) as Job);
    return (ofPage ? 'p' : '-') + html;
  },
});
denyClockAndChance();
