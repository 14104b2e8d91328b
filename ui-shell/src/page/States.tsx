import { Button, useT } from '@masthead/ui-sdk';
import { useEffect, useState } from 'react';

/** True once `on` has lasted for `ms`. */
export function useDelayed(on: boolean, ms: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!on) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [on, ms]);
  return on && late;
}

/** A bar at the top while a page is on its way. The region is always there, because screen readers announce only changes of one. */
export function Progress({ on }: { on: boolean }) {
  const t = useT();
  return (
    <>
      <div className="progress" hidden={!on} aria-hidden="true" />
      <p className="mh-hidden" role="status">
        {on ? t('loading') : ''}
      </p>
    </>
  );
}

/** Says that a page could not be fetched, while the page before stays. */
export function Unreached({ onRetry, onClose }: { onRetry(): void; onClose(): void }) {
  const t = useT();
  return (
    <div className="notice">
      <p>
        <strong>{t('error_title')}</strong> {t('error_text')}
      </p>
      <Button onClick={onRetry}>{t('retry')}</Button>
      <Button onClick={onClose}>{t('close')}</Button>
    </div>
  );
}
