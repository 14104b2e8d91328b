import type { SlotModule } from '@masthead/ui-sdk';

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const DIGEST = /^sha(256|384|512)-[A-Za-z0-9+/]+=*$/;

function isBelow(address: string, folder: string): boolean {
  try {
    return new URL(address, location.href).href.startsWith(folder);
  } catch {
    return false;
  }
}

/** The reason why the shell does not load a module: the files of modules are in their folders on the host, and a script has a digest. */
export function moduleFault(ref: SlotModule): string | undefined {
  if (!NAME.test(ref.module)) return `${ref.module}: not the name of a module`;
  const folder = `${location.origin}/assets/modules/${ref.module}/`;
  const foreign = [ref.entry, ...ref.css].find((address) => !isBelow(address, folder));
  if (foreign !== undefined) return `${ref.module}: ${foreign} is not in the module's folder on this host`;
  return DIGEST.test(ref.integrity) ? undefined : `${ref.module}: ${ref.entry} has no digest`;
}
