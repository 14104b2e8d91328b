import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import CopiedFormulas from '../src/reader/CopiedFormulas.tsx';

const ARTICLE = `<p>Let <span class="inline-formula" data-latex="H(s)"><math><mi>H</mi><mo>(</mo><mi>s</mi><mo>)</mo></math></span> be
  the height<a href="#a-r1">1</a>.</p><div data-formula data-latex="\\sigma^{2}"><div><math><msup><mi>σ</mi><mn>2</mn></msup></math></div><span data-label>(3)</span></div>
  <div class="formula-tools"><button>Copy LaTeX</button></div><ul><li>Then<br>more.</li></ul><pre>a
  b</pre><table><tr><td>1</td><td>2</td></tr></table><p id="plain">Without.</p><textarea>typed</textarea>`;

let article: HTMLElement;
const selection = () => document.getSelection() as Selection;
/** What a copy that begins at an element puts into the clipboard; undefined where the browser copies what is selected. */
const copied = (from: Element = article) => {
  const data: Record<string, string> = {};
  const event = new Event('copy', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'clipboardData', { value: { setData: (type: string, text: string) => (data[type] = text) } });
  from.dispatchEvent(event);
  return event.defaultPrevented ? data : undefined;
};

beforeEach(() => {
  article = document.createElement('article');
  article.innerHTML = ARTICLE;
  document.body.append(article);
  render(<CopiedFormulas />);
});
afterEach(() => {
  selection().removeAllRanges();
  article.remove();
});

it('a text is copied with the sources of its formulas, and as HTML without the tools of the page', () => {
  selection().selectAllChildren(article);
  const data = copied();
  const lines = ['Let $H(s)$ be the height1.', '$$\\sigma^{2}$$ (3)', 'Then', 'more.', 'a', '  b', '1\t2', 'Without.'];
  expect(data?.['text/plain']?.split('\n')).toEqual(lines);
  const html = data?.['text/html'];
  expect(html).toContain('<math>');
  expect(html).toContain(`href="${new URL('#a-r1', document.baseURI).href}"`);
  expect(html).not.toContain('Copy LaTeX');
});

it('a formula of which a part is selected is copied whole, without signs around it', () => {
  const letter = article.querySelector('mi')?.firstChild as Node;
  selection().setBaseAndExtent(letter, 0, letter, 1);
  expect(copied()?.['text/plain']).toBe('H(s)');
});

it('the browser copies what has no formula, and what is selected in a field', () => {
  selection().selectAllChildren(article.querySelector('#plain') as Element);
  expect(copied()).toBeUndefined();
  selection().selectAllChildren(article);
  expect(copied(article.querySelector('textarea') as Element)).toBeUndefined();
  selection().removeAllRanges();
  expect(copied()).toBeUndefined();
});
