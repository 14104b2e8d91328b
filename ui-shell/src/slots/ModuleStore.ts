import { loadModule } from '#loader';
import { SLOTS, type Bootstrap, type SlotModule, type SlotName, type UiModule } from '@masthead/ui-sdk';
import { addMessages, call, refusal, type Caller } from '@masthead/ui-sdk/shell';
import { callerOf } from '../calls/api.ts';
import { i18n } from '../i18n/i18n.ts';
import { moduleFault } from './moduleFault.ts';

export const LIMIT_MS = 10_000;

export type ModuleState = { status: 'loading' } | { status: 'ready'; module: UiModule } | { status: 'failed' };

const states = new Map<string, ModuleState>();
const pending = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();
/** The state of a module that has not come yet. */
export const LOADING: ModuleState = { status: 'loading' };
/** The page for whose slots modules were loaded last. */
const NOWHERE: Caller = { base: '', lang: '', siteId: 0 };
let caller = NOWHERE;
const keyOf = (slot: string, ref: SlotModule) => `${slot} ${ref.entry} ${ref.integrity}`;

/** `hydration`: what the module rendered first is not what it rendered on the host. */
export type Fault = 'load' | 'refused' | 'timeout' | 'render' | 'surplus' | 'hydration';

/** Reports a module's failure to the host. Except for the last fault, the reader sees the server's markup of the slot. */
export function reportFailure(slot: string, module: string, reason: Fault, message: string): void {
  const body = { slot, module, reason, message: message.slice(0, 500), path: location.pathname };
  // Not a beacon: its plain text is of a type that a form of another site can send, which the host refuses. A failed report must not break the page.
  call(caller, 'POST', '/rc-pub/front/ui-failure', { body }).catch(() => undefined);
}

function set(key: string, state: ModuleState): void {
  states.set(key, state);
  for (const listener of listeners) listener();
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const stateOf = (slot: string, ref: SlotModule): ModuleState => states.get(keyOf(slot, ref)) ?? LOADING;

/** Marks a module that failed while rendering; it is not tried again before the next document. */
export function fail(slot: string, ref: SlotModule): void {
  set(keyOf(slot, ref), { status: 'failed' });
}

function ensureStyles(ref: SlotModule): Promise<unknown> {
  return Promise.all(
    ref.css.map((href) => {
      const full = new URL(href, location.href).href;
      // The host has combined those of built-in modules.
      const isThere = (link: HTMLLinkElement) => link.href === full || link.dataset['parts']?.split(' ').includes(href);
      if ([...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].some(isThere)) return undefined;
      return new Promise<void>((resolve) => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.onload = link.onerror = () => resolve();
        link.href = href;
        document.head.append(link);
      });
    }),
  );
}

/** Loads a module once, if its files are the host's. Resolves when it is ready or has failed; never rejects. */
export function load(slot: string, ref: SlotModule): Promise<void> {
  const key = keyOf(slot, ref);
  const running = pending.get(key);
  if (running) return running;
  let timer: ReturnType<typeof setTimeout>;
  let reason: 'load' | 'refused' | 'timeout' = 'load';
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reason = 'timeout';
      reject(new Error(`${ref.module}: no answer within ${LIMIT_MS / 1000} s`));
    }, LIMIT_MS);
  });
  const refuseFor = (why: string | undefined) => {
    if (!why) return;
    reason = 'refused';
    throw new Error(why);
  };
  const work = (async () => {
    refuseFor(moduleFault(ref));
    const [value] = await Promise.all([loadModule(ref), ensureStyles(ref)]);
    refuseFor(refusal(value, ref.module, slot));
    return value as UiModule;
  })();
  const done = Promise.race([work, limit])
    .then(
      (module) => {
        addMessages(i18n, module.id, module.messages);
        set(key, { status: 'ready', module });
      },
      (error: unknown) => {
        reportFailure(slot, ref.module, reason, error instanceof Error ? error.message : String(error));
        console.warn(error);
        set(key, { status: 'failed' });
      },
    )
    .finally(() => clearTimeout(timer));
  pending.set(key, done);
  return done;
}

/** Loads the modules of all slots of a page that are not late. Resolves when each is ready or has failed, or after `limit` ms. */
export function loadAll(next: Pick<Bootstrap, 'base' | 'lang' | 'site' | 'slots'>, limit: number): Promise<void> {
  caller = callerOf(next);
  const all = Object.entries(next.slots).flatMap(([slot, refs]) => (SLOTS[slot as SlotName]?.late ? [] : refs.map((ref) => load(slot, ref))));
  return Promise.race([Promise.all(all).then(() => undefined), new Promise<void>((resolve) => setTimeout(resolve, limit))]);
}

/** Empties the store; for tests. */
export function forget(): void {
  states.clear();
  pending.clear();
  caller = NOWHERE;
}
