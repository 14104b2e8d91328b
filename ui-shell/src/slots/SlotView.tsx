import { SLOTS, useShell, type Bootstrap, type SlotModule, type SlotName } from '@masthead/ui-sdk';
import { moduleElement } from '@masthead/ui-sdk/shell';
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { adopt } from '../browser/environment.ts';
import { i18n } from '../i18n/i18n.ts';
import { ModuleBoundary } from './ModuleBoundary.tsx';
import { fail, load, LOADING, reportFailure, stateOf, subscribe } from './ModuleStore.ts';

/** Nodes of the server's document that are shown in place of a module. While there are any, links load whole documents, because these nodes belong to one page. */
export const standing = new Set<Element>();

/** Moves a node of the server's document into React's tree without rendering it again. */
export function Adopted({ node }: { node: Element | undefined }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!node || !host.current) return;
    adopt(host.current, node);
    standing.add(node);
    return () => {
      standing.delete(node);
      node.remove();
    };
  }, [node]);
  return <div ref={host} className="slot" />;
}

function Mounted({
  slot,
  module,
  props,
  fallback,
  waiting = fallback,
}: {
  slot: SlotName;
  module: SlotModule;
  props: object;
  fallback: ReactNode;
  waiting?: ReactNode;
}) {
  const { bootstrap, path } = useShell();
  const now = () => stateOf(slot, module);
  // The host leaves out late modules: while its markup is taken over, one that has come early waits, too.
  const state = useSyncExternalStore(subscribe, now, SLOTS[slot].late ? () => LOADING : now);
  useEffect(() => void load(slot, module), [slot, module]);
  if (state.status !== 'ready') return state.status === 'loading' ? waiting : fallback;
  return (
    <ModuleBoundary
      fallback={fallback}
      onError={(error) => {
        reportFailure(slot, module.module, 'render', error instanceof Error ? error.message : String(error));
        fail(slot, module);
      }}
    >
      <I18nextProvider i18n={i18n} defaultNS={module.module}>
        {moduleElement(state.module, bootstrap, path, module.props, props)}
      </I18nextProvider>
    </ModuleBoundary>
  );
}

export interface SlotViewProps {
  name: SlotName;
  bootstrap: Bootstrap;
  /** What the place gives to the modules. */
  props?: object;
  /** Rendered when the module has failed. */
  fallback?: ReactNode;
  /** Rendered when the page has no module for this slot; `fallback` by default. */
  empty?: ReactNode;
  /** Rendered while the module is loading; `fallback` by default. */
  waiting?: ReactNode;
}

const reported = new Set<string>();

/** A slot of the page. Whatever fails in it, the rest of the page stays, and its fallback is shown. */
export function SlotView(props: SlotViewProps) {
  return (
    <ModuleBoundary fallback={props.fallback ?? null} onError={console.warn}>
      <Filled {...props} />
    </ModuleBoundary>
  );
}

function Filled({ name, bootstrap, props = {}, fallback = null, empty = fallback, waiting }: SlotViewProps) {
  const refs = bootstrap.slots[name] ?? [];
  if (!refs.length) return empty;
  if (SLOTS[name].cardinality === 'many') {
    return refs.map((ref, index) => <Mounted key={`${ref.entry} ${index}`} slot={name} module={ref} props={props} fallback={null} />);
  }
  const [first, ...surplus] = refs;
  for (const extra of surplus) {
    if (reported.has(extra.entry)) continue;
    reported.add(extra.entry);
    reportFailure(name, extra.module, 'surplus', `slot ${name} takes one module`);
  }
  return first ? <Mounted key={first.entry} slot={name} module={first} props={props} fallback={fallback} waiting={waiting} /> : empty;
}
