import { Button, useT } from '@masthead/ui-sdk';
import { Icon } from './Icon.tsx';
import { useTextSize } from './sizes.ts';

/** Two buttons for the text size. */
export function TextSize({ article }: { article: HTMLElement }) {
  const t = useT();
  const { smaller, larger } = useTextSize(article);
  return (
    <div role="group" aria-label={t('font_size')}>
      <Button variant="icon" aria-label={t('font_smaller')} aria-disabled={!smaller} onClick={smaller}>
        <Icon path="M3 19l5.5-14L14 19M5 14.5h7M16 12h6" />
      </Button>
      <Button variant="icon" aria-label={t('font_larger')} aria-disabled={!larger} onClick={larger}>
        <Icon path="M3 19l5.5-14L14 19M5 14.5h7M16 12h6M19 9v6" />
      </Button>
    </div>
  );
}
