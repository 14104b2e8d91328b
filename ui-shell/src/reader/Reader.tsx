import { useBootstrap } from '@masthead/ui-sdk';
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { ModuleBoundary } from '../slots/ModuleBoundary.tsx';
import { FigureViewer } from './FigureViewer.tsx';
import { Formulas } from './Formulas.tsx';
import { Outline } from './Outline.tsx';
import { Tables } from './Tables.tsx';
import { Toolbar } from './Toolbar.tsx';
import { Xrefs } from './Xrefs.tsx';
import type { ArticlePage } from './props.ts';

const Translate = lazy(() => import('./Translate.tsx'));

/** The functions that the script adds to the host's article. The article can be read without them. */
export default function Reader({ main, page }: { main: HTMLElement; page: ArticlePage }) {
  const { translate = [] } = useBootstrap();
  const [article, setArticle] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setArticle(main.querySelector<HTMLElement>('article.reader')), [main]);
  useEffect(() => {
    if (!article) return;
    // The style sheet keeps the first column of wide tables and the header of tall ones in view.
    const boxes = [...article.querySelectorAll<HTMLElement>('.table-wrap')];
    const measure = () => {
      for (const box of boxes) {
        box.classList.toggle('is-wide', box.scrollWidth > box.clientWidth + 1);
        box.classList.toggle('is-scrolling', box.scrollHeight > box.clientHeight + 1);
      }
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [article]);
  if (!article) return null;
  const parts = { main, article, page };
  const toolbar = article.querySelector('[data-slot="article.toolbar"]');
  return (
    <>
      {toolbar && createPortal(<Toolbar {...parts} />, toolbar)}
      <Outline {...parts} />
      <Xrefs {...parts} />
      <FigureViewer {...parts} />
      <Tables {...parts} />
      <Formulas {...parts} />
      {translate.length > 0 && (
        <ModuleBoundary fallback={null} onError={console.warn}>
          <Suspense>
            <Translate {...parts} targets={translate} />
          </Suspense>
        </ModuleBoundary>
      )}
    </>
  );
}
