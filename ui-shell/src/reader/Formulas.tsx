import { useT } from '@masthead/ui-sdk';
import { useMemo } from 'react';
import { createPortal } from 'react-dom';
import { optional } from '../slots/optional.tsx';
import { all, first, valueOf } from './parts.ts';
import type { ReaderProps } from './props.ts';
import { type Place, textOf, useCopy, useInserted } from './tools.ts';

const CopiedFormulas = optional(() => import('./CopiedFormulas.tsx'));

const AFTER: Place = (formula, host) => formula.after(host);

/** The formula as a document of its own: with the namespace that other programs need. */
const mathmlOf = (math: Element) =>
  new XMLSerializer().serializeToString(math).replace(/^<math(?![^>]*\sxmlns=)/, '<math xmlns="http://www.w3.org/1998/Math/MathML"');

function Tools({ formula }: { formula: HTMLElement }) {
  const t = useT();
  const latex = useCopy();
  const mathml = useCopy();
  const tex = valueOf(formula, 'latex') || formula.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
  const math = formula.querySelector('math');
  return (
    <span role="group" aria-label={`${t('kind_disp-formula')} ${textOf(first(formula, 'label'))}`.trim()}>
      {tex && (
        <button type="button" onClick={() => latex.copy(tex)}>
          {latex.said || t('copy_latex')}
        </button>
      )}
      {math && (
        <button type="button" onClick={() => mathml.copy(mathmlOf(math))}>
          {mathml.said || t('copy_mathml')}
        </button>
      )}
    </span>
  );
}

/**
 * Adds buttons that copy a displayed formula as LaTeX or MathML, in the space below it that the style sheet keeps free for them. There is no such space
 * around formulas within a line, which are copied with the text.
 */
export function Formulas({ article, begun }: ReaderProps) {
  const formulas = useMemo(() => all(article, 'formula').filter((formula) => valueOf(formula, 'latex') || formula.querySelector('math')), [article]);
  const hosts = useInserted(formulas, 'formula-tools', AFTER);
  return (
    <>
      {formulas.map((formula, index) => {
        const host = hosts.get(formula);
        return host && createPortal(<Tools formula={formula} />, host, String(index));
      })}
      {begun && first(article, 'latex') && <CopiedFormulas />}
    </>
  );
}
