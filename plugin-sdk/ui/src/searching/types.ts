import type { RefObject } from 'react';
import type { components } from '../contract/api.ts';
import type { Bootstrap } from '../contract/slots.ts';

/** A condition that the words of a search are compared by; field 0 stands for all. */
export type SearchOption = components['schemas']['OptionView'];

/** The state of a search widget, shared by its form and the part that is loaded when a reader turns to it. */
export interface SearchState {
  search: Bootstrap['search'];
  q: string;
  setQ(words: string): void;
  /** The type that is searched, one of the site's scopes. */
  scope: string;
  /** Address of the list of that type, which opens in a new tab; undefined where the page of results shows it. */
  target: string | undefined;
  /** Selects a type, with the first of its conditions. */
  pick(scope: string): void;
  /** The conditions that the option selector offers; none where the type has no selector. */
  options: SearchOption[];
  setOptions(options: SearchOption[]): void;
  field: string;
  /** Selects a condition, and clears the words. */
  setField(field: string): void;
  /** The words of a requested search that has not begun yet. */
  asked: { words: string } | undefined;
  setAsked(asked: undefined): void;
  /** Asks for a search. */
  go(words: string): void;
  hrefOf(words: string): string;
  input: RefObject<HTMLInputElement | null>;
}
