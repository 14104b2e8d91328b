import { Button, useT } from '@masthead/ui-sdk';
import { useId, useMemo, useState } from 'react';
import { citationsOf } from './citations.ts';
import type { ArticlePage, ReaderProps } from './props.ts';
import { useCopy } from './tools.ts';

/** The address that stays: that of the DOI, else that of the page without what only this visit needs. */
const addressOf = ({ doi }: ArticlePage) => (doi ? `https://doi.org/${encodeURI(doi)}` : location.origin + location.pathname);

/** The article as a citation in a style that the reader chooses, and its address. The page's own citation stands for a page without styles. */
export function Cite({ article, page }: Pick<ReaderProps, 'article' | 'page'>) {
  const { citation } = page;
  const t = useT();
  const id = useId();
  const styles = useMemo(() => citationsOf(article), [article]);
  const [chosen, choose] = useState(() => styles.find((style) => style.text === citation)?.id ?? styles[0]?.id ?? '');
  const text = styles.find((style) => style.id === chosen)?.text ?? citation;
  const { said, copy } = useCopy();
  const link = useCopy(t('copy_link_failed'));
  return (
    <>
      {styles.length > 1 && (
        <p className="cite-style">
          <label htmlFor={id}>{t('cite_style')}</label>{' '}
          <select id={id} value={chosen} onChange={(event) => choose(event.target.value)}>
            {styles.map((style) => (
              <option key={style.id} value={style.id}>
                {style.name}
              </option>
            ))}
          </select>
        </p>
      )}
      <blockquote dir="auto">{text}</blockquote>
      <Button variant="primary" onClick={() => copy(text)}>
        <span aria-live="polite">{said || t('copy')}</span>
      </Button>{' '}
      <Button onClick={() => link.copy(addressOf(page))}>
        <span aria-live="polite">{link.said || t('copy_link')}</span>
      </Button>
    </>
  );
}
