import type { ComponentType } from 'react';
import slots from '../../slots.json' with { type: 'json' };
import type { components } from './api.ts';

type Schemas = components['schemas'];
export type Bootstrap = Schemas['Bootstrap'];
export type PagePayload = Omit<Schemas['PagePayload'], 'bootstrap'> & { bootstrap: Bootstrap };
export type MovedPage = Schemas['MovedPage'];
export type PageView = Schemas['PageView'];
export type Site = Schemas['SiteView'];
export type Session = Schemas['SessionView'];
export type MenuLink = Schemas['MenuLink'];
export type LanguageLink = Schemas['LanguageLink'];
export type SlotModule = Schemas['SlotModule'];

/** Version of the contract between shell and modules; the shell refuses a module of another version. */
export const CONTRACT = 1;

export type SlotName = keyof typeof slots;

/** Properties of a module by slot; everything else comes from the hooks. */
export type SlotProps = Record<SlotName, Record<string, unknown>>;

export interface SlotRule {
  /** `one`: the first module is mounted, further ones are reported and ignored. */
  cardinality: 'one' | 'many';
  /** Whether the page is complete without any module. */
  optional: boolean;
  /** Whether modules of the slot are loaded after the first view: neither the document nor the shell waits for them. */
  late: boolean;
}

/** Every slot of a page. The host reads the same file: the document of a page links no module of a late slot. */
export const SLOTS = slots as Record<SlotName, SlotRule>;

/** Messages of a module by language code (`zh`, `en`, `ara`, ...); English is the fallback. */
export type Messages = Record<string, Record<string, string>>;

export interface UiModuleSpec<S extends SlotName = SlotName, P = SlotProps[S]> {
  /** kebab-case, equal to the folder's name; also the namespace of its messages. */
  id: string;
  slot: S;
  contract: number;
  Component: ComponentType<P>;
  messages?: Messages;
}

const TAG = 'masthead.ui-module';
export type UiModule<S extends SlotName = SlotName> = UiModuleSpec<S, Record<string, unknown>> & { readonly $type: typeof TAG };

/** Declares a module; its result is the default export of `src/module.ts`. */
export function defineModule<S extends SlotName, P extends object>(spec: UiModuleSpec<S, P>): UiModule<S> {
  return { ...spec, $type: TAG } as unknown as UiModule<S>;
}

/** The reason why a loaded value is not a module for this slot; undefined if it is. */
export function refusal(value: unknown, id: string, slot: string): string | undefined {
  const found = value as Partial<UiModule> | null | undefined;
  if (found?.$type !== TAG) return `${id}: its default export was not made by defineModule`;
  if (found.contract !== CONTRACT) return `${id}: speaks contract ${String(found.contract)}, this shell ${CONTRACT}`;
  if (found.id !== id) return `${id}: calls itself ${String(found.id)}`;
  if (found.slot !== slot) return `${id}: is for slot ${String(found.slot)}, not ${slot}`;
  return undefined;
}
