import { Button, useT } from '@masthead/ui-sdk';
import { useEffect, useRef, useState } from 'react';

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

export function Skeleton() {
  const t = useT();
  return (
    <div className="skeleton" role="status" aria-label={t('loading')}>
      {['title', 'lead', 'line', 'line', 'line', 'short', 'line', 'line', 'short'].map((kind, index) => (
        <span key={index} className={`skeleton-${kind}`} />
      ))}
    </div>
  );
}

export function Failure({ message, onRetry }: { message: string; onRetry(): void }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="message-page" role="alert" tabIndex={-1} ref={box}>
      <h1>{t('error_title')}</h1>
      <p>{message || t('error_text')}</p>
      <Button variant="primary" onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  );
}
