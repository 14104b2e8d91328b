import { SLOTS, useShell, type Bootstrap, type SlotModule, type SlotName } from '@masthead/ui-sdk';
import { ShellProvider } from '@masthead/ui-sdk/shell';
import { memo, startTransition, useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { trusted } from '../browser/environment.ts';
import { keepTyped } from './keepTyped.ts';
import { load, reportFailure, stateOf, subscribe } from './ModuleStore.ts';
import { Adopted, SlotView, standing } from './SlotView.tsx';

/** A slot of the frame in the host's document. */
export interface Place {
  /** The element whose content React renders. */
  container: HTMLElement;
  /** The host's own markup of the slot, if it has any. */
  sent: Element | undefined;
  /** What the host sent in the container, where the slot's modules rendered it on the host. */
  html: string | undefined;
}

interface Props {
  name: 'header' | 'search' | 'footer';
  place: Place;
  bootstrap: Bootstrap;
  /** Whether the page is the one that the host sent as a document. */
  first: boolean;
}

/** The modules that rendered the slot on the host: its own and those inside it, but for late ones. */
function modulesOf(bootstrap: Bootstrap, slot: SlotName): [string, SlotModule][] {
  const parts = Object.entries(bootstrap.slots).filter(([name]) => (name === slot || name.startsWith(`${slot}.`)) && !SLOTS[name as SlotName]?.late);
  return parts.flatMap(([name, refs]) => refs.map((ref): [string, SlotModule] => [name, ref]));
}

/** The host's markup again, for a module that fails after it has taken the markup over. */
export function copyOf({ container, html = '' }: Place): Element {
  const copy = container.cloneNode(false) as HTMLElement;
  copy.innerHTML = trusted(html);
  return copy;
}

/** Calls `onShown` when React has put what is inside into the document, before it is painted. */
export function Shown({ onShown, children }: { onShown(): void; children: ReactNode }) {
  useLayoutEffect(() => onShown(), [onShown]);
  return children;
}

/**
 * A slot that the host rendered with the modules themselves. React takes the markup over where it is, in a root of its own: what differs is
 * rendered again in this slot alone, and reported. Until the modules are there, and if one of them fails, the markup stands as it was sent.
 */
function RenderedSlot({ name, place, bootstrap, first }: Props) {
  const shell = useShell();
  const { container } = place;
  const root = useRef<Root>(undefined);
  /** While React takes the markup over: gives it what was typed, and what it shall render then. An update before would discard the markup. */
  const typed = useRef<() => void>(undefined);
  const next = useRef<ReactNode>(undefined);
  const copy = useRef<Element>(undefined);
  const modules = modulesOf(bootstrap, name);
  const status = () => modules.map(([slot, ref]) => stateOf(slot, ref).status).join(' ');
  const reached = useSyncExternalStore(subscribe, status);
  const ready = !/loading|failed/.test(reached);
  const onShown = useCallback(() => {
    if (next.current) root.current?.render(next.current);
    next.current = undefined;
    // After this task: React must not be asked to render while it does.
    if (typed.current) queueMicrotask(typed.current);
    typed.current = undefined;
  }, []);
  useEffect(() => modules.forEach(([slot, ref]) => void load(slot, ref)));
  // Style sheets show what only the modules would open, such as the menu of a narrow window.
  useLayoutEffect(() => void container.toggleAttribute('data-failed', /failed/.test(reached)), [container, reached]);
  useLayoutEffect(() => {
    if (!root.current && !ready) {
      standing.add(container);
      return () => void standing.delete(container);
    }
    copy.current ??= copyOf(place);
    const fallback = <Adopted node={copy.current} />;
    const tree: ReactNode = (
      <Shown onShown={onShown}>
        <ShellProvider value={shell}>
          <SlotView name={name} bootstrap={bootstrap} fallback={fallback} empty={first ? fallback : null} />
        </ShellProvider>
      </Shown>
    );
    const options = {
      identifierPrefix: name,
      onRecoverableError: (error: unknown) => {
        console.warn(error);
        reportFailure(name, modules[0]?.[1].module ?? '', 'hydration', error instanceof Error ? error.message : String(error));
      },
    };
    if (typed.current) next.current = tree;
    else if (root.current) root.current.render(tree);
    // In slices of some milliseconds, between which the reader is answered: an event in the slot is, when React has taken it over.
    else if (first) {
      typed.current = keepTyped(container);
      startTransition(() => {
        root.current = hydrateRoot(container, tree, options);
      });
    } else {
      root.current = createRoot(container, options);
      root.current.render(tree);
    }
    return undefined;
  });
  // A root must not end another one while it renders.
  useEffect(() => () => void setTimeout(() => root.current?.unmount()), []);
  return null;
}

/**
 * A slot of the frame: its modules in place of the host's markup, or on top of it where it is their own. Not rendered again for what else changes in
 * the shell: each slot has a root of its own, and with it all of the header, the search and the footer.
 */
export const FrameSlot = memo(function FrameSlot(props: Props) {
  const { name, place, bootstrap, first } = props;
  if (place.html !== undefined) return <RenderedSlot {...props} />;
  const node = place.sent && <Adopted node={place.sent} />;
  return createPortal(<SlotView name={name} bootstrap={bootstrap} fallback={node} empty={first ? node : null} />, place.container);
});
