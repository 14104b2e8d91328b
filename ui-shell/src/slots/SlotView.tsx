import { SLOTS, type Bootstrap, type SlotModule, type SlotName } from '@masthead/ui-sdk';
import { NamespaceProvider } from '@masthead/ui-sdk/shell';
import { createElement, useEffect, useLayoutEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { adopt } from '../browser/environment.ts';
import { ModuleBoundary } from './ModuleBoundary.tsx';
import { fail, load, reportFailure, stateOf, subscribe } from './ModuleStore.ts';

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
  props: Record<string, unknown>;
  fallback: ReactNode;
  waiting?: ReactNode;
}) {
  const state = useSyncExternalStore(subscribe, () => stateOf(slot, module));
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
      <NamespaceProvider value={module.module}>{createElement(state.module.Component, { ...(module.props as object), ...props })}</NamespaceProvider>
    </ModuleBoundary>
  );
}

export interface SlotViewProps {
  name: SlotName;
  bootstrap: Bootstrap;
  props?: Record<string, unknown>;
  /** Rendered when the module has failed. */
  fallback?: ReactNode;
  /** Rendered when the page has no module for this slot; `fallback` by default. */
  empty?: ReactNode;
  /** Rendered while the module is loading; `fallback` by default. */
  waiting?: ReactNode;
}

const reported = new Set<string>();

export function SlotView({ name, bootstrap, props = {}, fallback = null, empty = fallback, waiting }: SlotViewProps) {
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
