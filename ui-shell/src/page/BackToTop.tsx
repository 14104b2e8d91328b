import { useT } from '@masthead/ui-sdk';
import { useEffect, useState } from 'react';
import { focusOn } from '../browser/scroll.ts';

/** How far a page is scrolled, in pixels, before the button is shown: farther on a narrow window, where it covers more of the text. */
const threshold = () => (innerWidth < 768 ? 400 : 300);

/** The button that scrolls to the top. */
export function BackToTop({ main }: { main: HTMLElement }) {
  const t = useT();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const look = () => setShown(scrollY > threshold());
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
        import('../later/Later.tsx').then(
          ({ toTop }) => toTop(),
          () => scrollTo(0, 0),
        );
        focusOn(main);
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 19V6M6 11.5l6-6 6 6" />
      </svg>
    </button>
  );
}
