import { useT } from '@masthead/ui-sdk';
import { useMemo } from 'react';
import { createPortal } from 'react-dom';
import type { ReaderProps } from './props.ts';
import { type Place, useCopy, useInserted } from './tools.ts';

const AFTER: Place = (formula, host) => formula.after(host);

function Tools({ formula }: { formula: HTMLElement }) {
  const t = useT();
  const latex = useCopy();
  const mathml = useCopy();
  const tex = formula.dataset['latex'] || formula.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
  const math = formula.querySelector('math');
  return (
    <span>
      {tex && (
        <button type="button" onClick={() => latex.copy(tex)}>
          {latex.said || t('copy_latex')}
        </button>
      )}
      {math && (
        <button type="button" onClick={() => mathml.copy(math.outerHTML)}>
          {mathml.said || t('copy_mathml')}
        </button>
      )}
    </span>
  );
}

/** Adds buttons that copy a formula as LaTeX or MathML. */
export function Formulas({ article }: ReaderProps) {
  const formulas = useMemo(
    () =>
      [...article.querySelectorAll<HTMLElement>('.reader-body .disp-formula')].filter((formula) => formula.dataset['latex'] || formula.querySelector('math')),
    [article],
  );
  const hosts = useInserted(formulas, 'formula-tools', AFTER);
  return formulas.map((formula, index) => {
    const host = hosts.get(formula);
    return host && createPortal(<Tools formula={formula} />, host, String(index));
  });
}
