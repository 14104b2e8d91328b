import { useT } from '@masthead/ui-sdk';
import type { ButtonHTMLAttributes } from 'react';
import { Icon } from './Icon.tsx';

/** The button at a picture that opens it larger. */
export function Enlarge({ name, ...rest }: { name: string } & Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'onPointerEnter'>) {
  const t = useT();
  return (
    <button type="button" className="fig-open mh-button-icon" aria-haspopup="dialog" aria-label={t('enlarge', { name })} {...rest}>
      <Icon path="M14 5h5v5M10 19H5v-5M19 5l-6 6M5 19l6-6" />
    </button>
  );
}
