import type { PagePayload } from '@masthead/ui-sdk';
import { useEffect, useState } from 'react';
import { optional } from '../slots/optional.tsx';

const Actions = optional(() => import('../personal/Actions.tsx'));

/**
 * The buttons for members on a page (`data-member`). What they do is loaded when one is used, or at once for a member, whose page has to show what
 * is collected.
 */
export function Members({ main, payload }: { main: HTMLElement; payload: PagePayload }) {
  const { signedIn } = payload.bootstrap.session;
  const [first, setFirst] = useState<HTMLElement>();
  const wanted = first !== undefined || (signedIn && main.querySelector('[data-member]') !== null);
  useEffect(() => {
    if (wanted) return;
    const click = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('button[data-member]') : null;
      if (button) setFirst(button);
    };
    main.addEventListener('click', click);
    return () => main.removeEventListener('click', click);
  }, [main, wanted]);
  return wanted && <Actions main={main} payload={payload} first={first} />;
}
