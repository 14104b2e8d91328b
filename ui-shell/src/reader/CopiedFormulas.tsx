import { useEffect } from 'react';
import { all, around, first, isPart, valueOf } from './parts.ts';
import { ADDED, textOf } from './tools.ts';

/** What belongs to the page and not to the text, and other notations of a formula within it. */
const LEFT_OUT = `${ADDED}, button, input, select, textarea, annotation, annotation-xml, .mh-hidden`;
/** Elements that begin a line. */
const BLOCK = /^(ARTICLE|ASIDE|BLOCKQUOTE|BR|CAPTION|DD|DETAILS|DIV|DL|DT|FIGCAPTION|FIGURE|H[1-6]|HR|LI|OL|P|PRE|SECTION|SUMMARY|TABLE|TR|UL)$/;

/** A formula as LaTeX within a text, with the printed number of a displayed one. */
function sourceOf(formula: HTMLElement): string {
  const sign = isPart(formula, 'formula') ? '$$' : '$';
  return `${sign}${valueOf(formula, 'latex')}${sign} ${textOf(first(formula, 'label'))}`.trim();
}

/** A text with the sources of its formulas, a line for each block. */
function textWithSources(root: Node): string {
  const lines = [''];
  const add = (text: string) => {
    lines[lines.length - 1] += text;
  };
  const walk = (node: Node, isCode: boolean) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) add(isCode ? (child.textContent ?? '') : (child.textContent ?? '').replace(/\s+/g, ' '));
      if (!(child instanceof Element)) continue;
      const isBlock = BLOCK.test(child.tagName);
      if (isBlock) lines.push('');
      if (isPart(child, 'latex')) add(sourceOf(child));
      else walk(child, isCode || child.tagName === 'PRE');
      if (/^T[DH]$/.test(child.tagName)) add('\t');
      if (isBlock) lines.push('');
    }
  };
  walk(root, false);
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

const formulaAt = (node: Node) => {
  const element = node instanceof Element ? node : node.parentElement;
  return element && around(element, 'latex');
};

/** The range with the whole of the formulas in which it begins and ends: a part of one has no source. */
function withWholeFormulas(range: Range): Range {
  const whole = range.cloneRange();
  const [begun, ended] = [formulaAt(range.startContainer), formulaAt(range.endContainer)];
  if (begun) whole.setStartBefore(begun);
  if (ended) whole.setEndAfter(ended);
  return whole;
}

/** What is copied of a selection with formulas, as text and as HTML; null for one without. A formula alone is its source, as its button copies it. */
function copyOf(selection: Selection | null): { text: string; html: string } | null {
  if (!selection || selection.isCollapsed || selection.rangeCount !== 1) return null;
  const copy = document.createElement('div');
  copy.append(withWholeFormulas(selection.getRangeAt(0)).cloneContents());
  for (const part of copy.querySelectorAll(LEFT_OUT)) part.remove();
  const [formula, ...others] = all(copy, 'latex');
  if (!formula) return null;
  // Other programs do not know the address of the page.
  for (const link of copy.querySelectorAll('a')) if (link.href) link.setAttribute('href', link.href);
  for (const image of copy.querySelectorAll('img')) image.setAttribute('src', image.src);
  const alone = !others.length && textOf(copy) === textOf(formula);
  return { text: alone ? valueOf(formula, 'latex') : textWithSources(copy), html: copy.innerHTML };
}

/**
 * Copies LaTeX in place of formulas with the text around them, whose letters alone would not say what is raised, lowered or below a line. Nothing of it
 * is on the page: buttons would cover the text around a formula, and each would be a stop of the Tab key.
 */
export default function CopiedFormulas() {
  useEffect(() => {
    const copied = (event: ClipboardEvent) => {
      const typed = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
      const made = event.defaultPrevented || typed ? null : copyOf(document.getSelection());
      if (!made || !event.clipboardData) return;
      event.clipboardData.setData('text/plain', made.text);
      event.clipboardData.setData('text/html', made.html);
      event.preventDefault();
    };
    // Not of the article alone: a selection of the whole page begins before it, and popovers and dialogs show its formulas, too.
    document.addEventListener('copy', copied);
    return () => document.removeEventListener('copy', copied);
  }, []);
  return null;
}
