import { SLOTS, type PagePayload, type SlotName } from '@masthead/ui-sdk';
import { memo, useLayoutEffect, useRef, useState, type ReactPortal } from 'react';
import { createPortal } from 'react-dom';
import { trusted } from '../browser/environment.ts';
import { optional } from '../slots/optional.tsx';
import { SlotView } from '../slots/SlotView.tsx';
import { pageName } from './head.ts';

const List = optional(() => import('../lists/List.tsx'));
const Reader = optional(() => import('../reader/Reader.tsx'));
const Account = optional(() => import('../account/Account.tsx'));
const Carousel = optional(() => import('../home/Carousel.tsx'));
const Personal = optional(() => import('../personal/Personal.tsx'));

interface Placeholder {
  key: string;
  name: SlotName;
  element: HTMLElement;
  props: object;
}

function placeholders(main: HTMLElement): Placeholder[] {
  return [...main.querySelectorAll<HTMLElement>('[data-slot]')].flatMap((element, index) => {
    const name = element.dataset['slot'] ?? '';
    // The toolbar of the article reader renders this slot itself.
    if (!(name in SLOTS) || name === 'article.toolbar') return [];
    let props: object = {};
    try {
      props = JSON.parse(element.dataset['props'] ?? '{}') as object;
    } catch {
      // Properties that are not JSON: the module is rendered without them.
    }
    return [{ key: `${name} ${index}`, name: name as SlotName, element, props }];
  });
}

interface Props {
  main: HTMLElement;
  payload: PagePayload;
  /** Handles a failure that ends the session. Returns whether it was one. */
  onFailure(error: unknown): boolean;
}

/**
 * The host's `<main>`: it stays as it is, later pages replace its content; React renders only into its slots. Not again for what else changes in the
 * shell, such as the progress bar: with an article, all tools of the reader would be rendered between a click and what the reader sees of it.
 */
export const Main = memo(function Main({ main, payload, onFailure }: Props) {
  const shown = useRef(payload);
  /** The page whose content is in `main`, and its slots: nothing may look for parts of it earlier. */
  const [placed, setPlaced] = useState<{ payload: PagePayload; slots: Placeholder[] }>();
  useLayoutEffect(() => {
    if (shown.current !== payload) {
      shown.current = payload;
      main.innerHTML = trusted(payload.html);
      main.dataset['page'] = pageName(payload.bootstrap.page);
    }
    setPlaced({ payload, slots: placeholders(main) });
  }, [main, payload]);
  const { bootstrap } = payload;
  const isPlaced = placed?.payload === payload;
  const portals: ReactPortal[] = (placed?.slots ?? [])
    .filter((slot) => main.contains(slot.element) && bootstrap.slots[slot.name]?.length)
    .map((slot) => createPortal(<SlotView name={slot.name} bootstrap={bootstrap} props={slot.props} />, slot.element, slot.key));
  return (
    <>
      {portals}
      {isPlaced && main.querySelector('[data-more]') && (
        <List main={main} payload={payload} onItems={() => setPlaced({ payload, slots: placeholders(main) })} onFailure={onFailure} />
      )}
      {isPlaced && bootstrap.page.kind === 'article' && <Reader key={bootstrap.page.id + bootstrap.lang} main={main} page={bootstrap.page} />}
      {isPlaced && main.querySelector('[data-account]') && <Account main={main} page={payload} />}
      {isPlaced && main.querySelector('.carousel') && <Carousel main={main} page={payload} />}
      {isPlaced && main.querySelector('[data-personal]') && <Personal main={main} payload={payload} />}
    </>
  );
});
