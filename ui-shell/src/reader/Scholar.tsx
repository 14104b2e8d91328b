import { useBootstrap, useT } from '@masthead/ui-sdk';
import { useEffect, useId, useRef, useState } from 'react';

/** The beginning of a citation as a query. Half of a surrogate pair, which `slice` may leave, cannot be encoded. */
const queryOf = (citation: string) =>
  encodeURIComponent(
    [...citation]
      .slice(0, 300)
      .join('')
      .replace(/\p{Surrogate}/gu, ''),
  );

/** Searches for a cited work: the service that the page's readers can reach is shown, the other one is hidden behind a button. */
export function ScholarLinks({ citation }: { citation: string }) {
  const t = useT();
  const { lang } = useBootstrap();
  const id = useId();
  const [open, setOpen] = useState(false);
  const other = useRef<HTMLAnchorElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (open) other.current?.focus();
  }, [open]);
  const query = queryOf(citation);
  const links = [
    { address: `https://scholar.google.com/scholar?q=${query}`, label: t('scholar') },
    { address: `https://xueshu.baidu.com/s?wd=${query}`, label: t('scholar_baidu') },
  ];
  if (lang === 'zh') links.reverse();
  return (
    <>
      {links.map(({ address, label }, index) => (
        <a
          key={address}
          ref={index ? other : undefined}
          id={index ? id : undefined}
          hidden={index > 0 && !open}
          href={address}
          target="_blank"
          rel="noopener noreferrer"
        >
          {label}
        </a>
      ))}
      {!open && (
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(true)}>
          {t('scholar_other')}
        </button>
      )}
    </>
  );
}
