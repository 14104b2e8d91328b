import { useBootstrap } from '@masthead/ui-sdk';
import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { ModuleBoundary } from '../slots/ModuleBoundary.tsx';
import { optional } from '../slots/optional.tsx';
import { FigureViewer } from './FigureViewer.tsx';
import { Formulas } from './Formulas.tsx';
import { Outline } from './Outline.tsx';
import { first, selectorOf } from './parts.ts';
import { Toolbar } from './Toolbar.tsx';
import { Xrefs } from './Xrefs.tsx';
import type { ArticlePage } from './props.ts';

const Beside = optional(() => import('./Beside.tsx'));
const Bilingual = optional(() => import('./Bilingual.tsx'));
const CommentForm = optional(() => import('./CommentForm.tsx'));
const Comments = optional(() => import('./Comments.tsx'));
const CompactBar = optional(() => import('./CompactBar.tsx'));
const GraphicAbstract = optional(() => import('./GraphicAbstract.tsx'));
const Tables = optional(() => import('./Tables.tsx'));
const Translate = optional(() => import('./Translate.tsx'));

/** A tool that fails is left out; the article and the other tools stay. */
function Tool({ children }: { children: ReactNode }) {
  return (
    <ModuleBoundary fallback={null} onError={console.warn}>
      {children}
    </ModuleBoundary>
  );
}

const SCROLLING = ['scroll'];
const READING = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin'];

/** Whether one of these events has happened: tools that nobody needs before are loaded then, outside of the first view. */
function useBegun(events: readonly string[]): boolean {
  // A page that is opened in its middle is read.
  const [begun, setBegun] = useState(() => scrollY > 0);
  // Before the first tools are in the document: what a reader does with them counts.
  useLayoutEffect(() => {
    const control = new AbortController();
    const begin = () => {
      // What the reader did comes first: these tools are rendered in pieces after it.
      startTransition(() => setBegun(true));
      control.abort();
    };
    for (const name of events) addEventListener(name, begin, { passive: true, signal: control.signal });
    return () => control.abort();
  }, [events]);
  return begun;
}

const TOOLS = [Outline, Xrefs, FigureViewer, Formulas];

/** The functions that the script adds to the host's article. The article can be read without them. */
export default function Reader({ main, page }: { main: HTMLElement; page: ArticlePage }) {
  const { translate = [] } = useBootstrap();
  const [article, setArticle] = useState<HTMLElement | null>(null);
  const scrolled = useBegun(SCROLLING);
  const begun = useBegun(READING);
  useLayoutEffect(() => setArticle(main.querySelector<HTMLElement>(`article${selectorOf('article')}`)), [main]);
  if (!article) return null;
  const parts = { main, article, page, begun };
  const toolbar = first(article, 'slot', 'article.toolbar');
  return (
    <>
      <Tool>{toolbar && createPortal(<Toolbar {...parts} />, toolbar)}</Tool>
      {TOOLS.map((Part, index) => (
        <Tool key={index}>
          <Part {...parts} />
        </Tool>
      ))}
      {scrolled && <CompactBar {...parts} />}
      {begun && <Beside {...parts} />}
      {begun && first(article, 'commentForm') && <CommentForm {...parts} />}
      {begun && first(article, 'commentsMore') && <Comments {...parts} />}
      {begun && first(article, 'tableBox') && <Tables {...parts} />}
      {begun && first(article, 'textLanguages') && <Bilingual {...parts} />}
      {/* Not only when the reader has begun: the first touch may be the one that opens it. */}
      {first(article, 'section', 'graphic-abstract') && <GraphicAbstract {...parts} />}
      {translate.length > 0 && <Translate {...parts} targets={translate} />}
    </>
  );
}
