import type { SlotModule } from '@masthead/ui-sdk';

/**
 * The name under which the runtime knows a module. It has the address of the script, because the runtime loads a name once: a module that the
 * operator replaces while a reader follows links is another one.
 */
export const remoteName = (ref: Pick<SlotModule, 'module' | 'entry'>): string => `${ref.module} ${ref.entry}`.replace(/\W+/g, '_');
