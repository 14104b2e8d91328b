import type { ReactNode } from 'react';
import type { components } from './api.ts';
import type { Bootstrap, SlotName, SlotProps } from './slots.ts';
import { CONTRACT, OLDEST_CONTRACT } from './version.ts';

type Schemas = components['schemas'];
export type PagePayload = Omit<Schemas['PagePayload'], 'bootstrap'> & { bootstrap: Bootstrap };
export type MovedPage = Schemas['MovedPage'];
export type Site = Schemas['SiteView'];
export type Session = Schemas['SessionView'];
export type MenuLink = Schemas['MenuLink'];
export type LanguageLink = Schemas['LanguageLink'];
export type SlotModule = Schemas['SlotModule'];

/** Messages of a module by language code (`zh`, `en`, `ara`, ...), as flat i18next JSON v4; English is the fallback. */
export type Messages = Record<string, Record<string, string>>;

/** The properties of a module: those of its slot, and its own, which a site may leave out. */
export type ModuleProps<S extends SlotName, Own extends object = object> = SlotProps[S] & Partial<Own>;

export interface UiModuleSpec<S extends SlotName> {
  /** kebab-case, equal to the folder's name; also the namespace of its messages. */
  id: string;
  slot: S;
  /** The contract version that the module is written for. A number, not the constant: the constant is that of the shell at run time. */
  contract: typeof CONTRACT;
  Component: (props: SlotProps[S]) => ReactNode;
  messages?: Messages;
}

const TAG = 'masthead.ui-module';

/** A module of any slot. Only who knows the slot can render it, with `moduleElement`. */
export interface UiModule {
  readonly $type: typeof TAG;
  id: string;
  slot: SlotName;
  contract: number;
  Component: (props: never) => ReactNode;
  messages?: Messages;
}

/** Declares a module; its result is the default export of `src/module.ts`. */
export function defineModule<S extends SlotName>(spec: UiModuleSpec<S>): UiModule {
  return { ...spec, $type: TAG };
}

/** The reason why a loaded value is not a module for this slot; undefined if it is. */
export function refusal(value: unknown, id: string, slot: string): string | undefined {
  const found = value as Partial<UiModule> | null | undefined;
  if (found?.$type !== TAG) return `${id}: its default export was not made by defineModule`;
  const contract = Number.isInteger(found.contract) ? Number(found.contract) : Number.NaN;
  if (contract > CONTRACT) return `${id}: was built for contract ${contract}, this shell has ${CONTRACT}: the host has to be updated`;
  if (!(contract >= OLDEST_CONTRACT)) return `${id}: was built for contract ${String(found.contract)}, which this shell does not support`;
  if (found.id !== id) return `${id}: calls itself ${String(found.id)}`;
  if (found.slot !== slot) return `${id}: is for slot ${String(found.slot)}, not ${slot}`;
  return undefined;
}
