import { useShell, type PagePayload } from '@masthead/ui-sdk';
import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Messages } from '../members/Messages.tsx';
import { ModuleBoundary } from '../slots/ModuleBoundary.tsx';
import { Albums } from './Albums.tsx';
import { Favourites, Visited } from './Favourites.tsx';
import { Information } from './Information.tsx';
import { OwnData } from './OwnData.tsx';
import { Searches } from './Searches.tsx';
import { Subscriptions } from './Subscriptions.tsx';
import './personal.css';

/** The parts of the personal centre, by the value of `data-personal`, which the host writes into the place of each. */
function Part({ name }: { name: string }) {
  if (name === 'collect') return <Favourites />;
  if (name === 'download') return <Visited list="downloads" />;
  if (name === 'history') return <Visited list="historys" />;
  if (name === 'album') return <Albums />;
  if (name === 'infomation') return <Information />;
  if (name === 'subscribe') return <Subscriptions />;
  if (name === 'search') return <Searches />;
  if (name === 'data') return <OwnData />;
  return null;
}

/** The personal centre: the host draws heading and tabs, and this what each of them has. */
export default function Personal({ main, payload }: { main: HTMLElement; payload: PagePayload }) {
  const { path } = useShell();
  const [places, setPlaces] = useState<HTMLElement[]>([]);
  useLayoutEffect(() => {
    const found = [...main.querySelectorAll<HTMLElement>('[data-personal]')];
    // What readers without scripts are told.
    for (const place of found) place.replaceChildren();
    setPlaces(found);
  }, [main, payload]);
  return (
    <Messages>
      {places.map((place) => {
        const name = place.dataset['personal'] ?? '';
        return (
          main.contains(place) &&
          createPortal(
            <ModuleBoundary fallback={null} onError={console.warn}>
              {/* Of another album, nothing stays. */}
              <Part key={`${name} ${new URL(path, location.origin).searchParams.get('album')}`} name={name} />
            </ModuleBoundary>,
            place,
            name,
          )
        );
      })}
    </Messages>
  );
}
