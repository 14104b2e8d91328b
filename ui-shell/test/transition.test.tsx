import type { PagePayload } from '@masthead/ui-sdk';
import { act, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useTransition } from '../src/page/transition.ts';
import { pageOf } from './fixture.ts';

const article = pageOf('article');
const list = pageOf('issue.zh');
const id = article.bootstrap.page.kind === 'article' ? article.bootstrap.page.id : 0;
const main = document.createElement('main');
// What is focused stands in the document.
document.body.append(main);

function Page({ next }: { next: PagePayload }) {
  return <p>{useTransition(next, main).title}</p>;
}
type Updating = { startViewTransition: (update: () => void) => ViewTransition };
/** A browser that takes its picture in a later task, as the real ones do. */
const started = vi.fn((update: () => void) => {
  const done = Promise.resolve().then(() => act(update));
  return { ready: Promise.reject(new Error('skipped')), updateCallbackDone: done, finished: done } as unknown as ViewTransition;
});
const settle = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve))));

afterEach(() => {
  Reflect.deleteProperty(document, 'startViewTransition');
  started.mockClear();
});

it('moves the title from the card to the article, and shows the page when a transition is skipped', async () => {
  (document as Updating).startViewTransition = started;
  main.innerHTML = `<ol><li class="article-card" data-article="${id}"><h3 class="card-title">x</h3></li></ol>`;
  const { container, rerender } = render(<Page next={list} />);
  rerender(<Page next={article} />);
  expect(container.textContent).toBe(list.title);
  expect(main.querySelector<HTMLElement>('.card-title')?.style.getPropertyValue('view-transition-name')).toBe('article-title');
  await settle();
  expect([container.textContent, started.mock.calls.length]).toEqual([article.title, 1]);
});

const titled = () => [...main.querySelectorAll<HTMLElement>('h3, a')].map((title) => title.style.getPropertyValue('view-transition-name') === 'article-title');
const TWICE = `<ol><li class="article-card" data-article="${id}"><h3 class="card-title">x</h3></li>
  <li><a class="headline" href="#/en/article/1${id}">y</a></li><li><a class="headline" href="#/en/article/${id}">x</a></li>
  <li class="article-card" data-article="${id}"><h3 class="card-title"><b tabindex="0">x</b></h3></li></ol>`;

it.each([
  ['a card', 'b', [false, false, false, true]],
  ['a headline', '.headline:not([href*="/1"])', [false, false, true, false]],
  ['something else', 'ol', [true, false, false, false]],
])('moves the title of %s that was followed, and on the way back to the same place', async (_, place, expected) => {
  const pending = new Promise<undefined>(() => undefined);
  (document as Updating).startViewTransition = (update) => {
    void Promise.resolve().then(() => act(update));
    return { ready: pending, updateCallbackDone: pending, finished: pending } as unknown as ViewTransition;
  };
  main.innerHTML = TWICE;
  const { rerender } = render(<Page next={list} />);
  main.querySelector<HTMLElement>(place)?.focus();
  rerender(<Page next={article} />);
  expect(titled()).toEqual(expected);
  await settle();
  // The page of the list is made again.
  main.innerHTML = TWICE;
  rerender(<Page next={list} />);
  expect(titled()).not.toContain(true);
  await settle();
  expect(titled()).toEqual(expected);
});

it.each(['without a card', 'in a browser without transitions', 'with reduced motion'])('changes at once %s', (how) => {
  if (how !== 'in a browser without transitions') (document as Updating).startViewTransition = started;
  if (how === 'with reduced motion') vi.stubGlobal('matchMedia', () => ({ matches: true }));
  main.innerHTML = how === 'without a card' ? '' : `<ol><li class="article-card" data-article="${id}"><h3 class="card-title">x</h3></li></ol>`;
  const { container, rerender } = render(<Page next={list} />);
  rerender(<Page next={article} />);
  expect([container.textContent, started.mock.calls.length]).toEqual([article.title, 0]);
  vi.unstubAllGlobals();
});
