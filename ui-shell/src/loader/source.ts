import type { SlotModule } from '@masthead/ui-sdk';

// In development and tests modules are sources of the shell's own server: no second server, hot replacement with state.
const sources = import.meta.glob<{ default: unknown }>('../../../ui-modules/*/src/module.ts');

export async function loadModule(ref: SlotModule): Promise<unknown> {
  const load = sources[`../../../ui-modules/${ref.module}/src/module.ts`];
  if (!load) throw new Error(`${ref.module}: there is no such module`);
  return (await load()).default;
}
