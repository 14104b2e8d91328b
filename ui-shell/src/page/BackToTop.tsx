import { useT } from '@masthead/ui-sdk';
import { useEffect, useState } from 'react';
import { reducedMotion } from '../browser/environment.ts';
import { focusOn } from '../browser/scroll.ts';

/** The button that scrolls to the top; shown once the page is scrolled by more than 300 px. */
export function BackToTop({ main }: { main: HTMLElement }) {
  const t = useT();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const look = () => setShown(scrollY > 300);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return (
    <button
      type="button"
      className="back-to-top"
      hidden={!shown}
      aria-label={t('back_to_top')}
      onClick={() => {
        scrollTo({ top: 0, behavior: reducedMotion() ? 'auto' : 'smooth' });
        focusOn(main);
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 19V6M6 11.5l6-6 6 6" />
      </svg>
    </button>
  );
}
