import { SLOTS, type PagePayload, type SlotName } from '@masthead/ui-sdk';
import { lazy, Suspense, useLayoutEffect, useRef, useState, type ReactPortal } from 'react';
import { createPortal } from 'react-dom';
import { adopt, trusted } from '../browser/environment.ts';
import { SlotView } from '../slots/SlotView.tsx';
import { pageName } from './head.ts';

const Reader = lazy(() => import('../reader/Reader.tsx'));

interface Placeholder {
  key: string;
  name: SlotName;
  element: HTMLElement;
  props: Record<string, unknown>;
}

function placeholders(main: HTMLElement): Placeholder[] {
  return [...main.querySelectorAll<HTMLElement>('[data-slot]')].flatMap((element, index) => {
    const name = element.dataset['slot'] ?? '';
    // The toolbar of the article reader renders this slot itself.
    if (!(name in SLOTS) || name === 'article.toolbar') return [];
    let props: Record<string, unknown> = {};
    try {
      props = JSON.parse(element.dataset['props'] ?? '{}') as Record<string, unknown>;
    } catch {
      // Properties that are not JSON: the module is rendered without them.
    }
    return [{ key: `${name} ${index}`, name: name as SlotName, element, props }];
  });
}

/** The host's `<main>`: its nodes move into the frame unchanged, later pages replace their content; React renders only into its slots. */
export function Main({ main, payload, hidden }: { main: HTMLElement; payload: PagePayload; hidden: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef(payload);
  const [slots, setSlots] = useState<Placeholder[]>([]);
  useLayoutEffect(() => {
    if (host.current) adopt(host.current, main);
  }, [main]);
  useLayoutEffect(() => {
    if (shown.current !== payload) {
      shown.current = payload;
      main.innerHTML = trusted(payload.html);
      main.dataset['page'] = pageName(payload.bootstrap.page);
    }
    setSlots(placeholders(main));
  }, [main, payload]);
  useLayoutEffect(() => {
    main.hidden = hidden;
  }, [main, hidden]);
  const { bootstrap } = payload;
  const portals: ReactPortal[] = slots
    .filter((slot) => main.contains(slot.element) && bootstrap.slots[slot.name]?.length)
    .map((slot) => createPortal(<SlotView name={slot.name} bootstrap={bootstrap} props={slot.props} />, slot.element, slot.key));
  return (
    <>
      <div ref={host} className="slot" />
      {portals}
      {bootstrap.page.kind === 'article' && (
        <Suspense>
          <Reader key={bootstrap.page.id + bootstrap.lang} main={main} page={bootstrap.page} />
        </Suspense>
      )}
    </>
  );
}
