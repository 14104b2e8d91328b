import { useT, type PagePayload } from '@masthead/ui-sdk';
import { useLayoutEffect, useRef, useState } from 'react';
import { EndlessList, type Surroundings } from './EndlessList.ts';

interface Props extends Pick<Surroundings, 'onItems' | 'onFailure'> {
  main: HTMLElement;
  payload: PagePayload;
}

/** Puts the next page of the list in `main` under the items that are shown. What it does with a list is the class's; the texts and the live region are here. */
export default function List({ main, payload, onItems, onFailure }: Props) {
  const t = useT();
  const [said, say] = useState('');
  const latest = useRef({ t, onItems, onFailure });
  latest.current = { t, onItems, onFailure };
  useLayoutEffect(() => {
    const list = EndlessList.in(main, payload, {
      text: (key, values) => latest.current.t(key, values),
      say,
      onItems: () => latest.current.onItems(),
      onFailure: (error) => latest.current.onFailure(error),
    });
    return () => list?.end();
  }, [main, payload]);
  return (
    <p className="mh-hidden" role="status">
      {said}
    </p>
  );
}
