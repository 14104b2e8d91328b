import type { PagePayload } from '@masthead/ui-sdk';
import { optional } from '../slots/optional.tsx';

const Actions = optional(() => import('../personal/Actions.tsx'));

/**
 * The buttons for members on a page (`data-member`). What they do is loaded when one is used, or at once for a member, whose page has to show what
 * is collected.
 */
export function Members({ main, payload, used }: { main: HTMLElement; payload: PagePayload; used: HTMLElement | undefined }) {
  const wanted = used !== undefined || (payload.bootstrap.session.signedIn && main.querySelector('[data-member]') !== null);
  return wanted && <Actions main={main} payload={payload} used={used} />;
}
