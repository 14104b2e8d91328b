import type { SlotModule } from '@masthead/ui-sdk';

// In development and tests the shell's server compiles the modules from source: one server, and hot replacement that keeps state.
const sources = import.meta.glob<{ default: unknown }>('../../../ui-modules/*/src/module.ts');

export async function loadModule(ref: SlotModule): Promise<unknown> {
  const load = sources[`../../../ui-modules/${ref.module}/src/module.ts`];
  if (!load) throw new Error(`${ref.module}: there is no such module`);
  return (await load()).default;
}
