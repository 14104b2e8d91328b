import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { enable } from '../src/home/Carousel.tsx';

let reduced = false;

/** A carousel as the host draws it, in a window of 100 px whose row scrolls at once. */
function carousel(slides: number, direction: 1 | -1 = 1): HTMLElement {
  document.body.innerHTML = `<section class="carousel"><ul class="carousel-track">${'<li class="carousel-slide"><a href="/en/issues">Tides</a></li>'.repeat(slides)}</ul>
    <div class="carousel-controls"><button data-step="-1"></button><button data-pause="Pause" data-play="Play"><svg><path d=""></path></svg><span>Pause</span></button>
    <button data-step="1"></button><p class="carousel-place"></p></div></section>`;
  const element = document.querySelector<HTMLElement>('.carousel')!;
  const track = element.querySelector<HTMLElement>('.carousel-track')!;
  element.querySelectorAll<HTMLElement>('.carousel-slide').forEach((slide, index) => {
    Object.defineProperty(slide, 'offsetLeft', { value: 40 + direction * index * 100 });
  });
  track.scrollTo = ((options: ScrollToOptions) => {
    track.scrollLeft = options.left ?? 0;
    track.dispatchEvent(new Event('scroll'));
  }) as typeof track.scrollTo;
  return element;
}

const place = () => document.querySelector('.carousel-place')?.textContent;
const button = (selector: string) => document.querySelector<HTMLButtonElement>(selector)!;
const stays = (times: number) => vi.advanceTimersByTime(7000 * times);

beforeEach(() => {
  vi.useFakeTimers();
  reduced = false;
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: reduced && query.includes('reduce') }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('slides follow each other, and the last one is followed by the first', () => {
  const stop = enable(carousel(3));
  expect(place()).toBe('1 / 3');
  stays(2);
  expect(place()).toBe('3 / 3');
  stays(1);
  expect(place()).toBe('1 / 3');
  button('[data-step="-1"]').click();
  expect(place()).toBe('3 / 3');
  stop();
});

test('only the slide in sight is reached with the keyboard', () => {
  const element = carousel(3);
  const stop = enable(element);
  const inert = () => [...element.querySelectorAll<HTMLElement>('.carousel-slide')].map((slide) => slide.inert);
  expect(inert()).toEqual([false, true, true]);
  button('[data-step="1"]').click();
  expect(inert()).toEqual([true, false, true]);
  stop();
  expect(inert()).toEqual([false, false, false]);
});

test('the reader pauses and continues it', () => {
  const stop = enable(carousel(2));
  const pause = button('[data-pause]');
  pause.click();
  expect(pause.querySelector('span')?.textContent).toBe('Play');
  stays(3);
  expect(place()).toBe('1 / 2');
  pause.click();
  expect(pause.querySelector('span')?.textContent).toBe('Pause');
  stays(1);
  expect(place()).toBe('2 / 2');
  stop();
});

test('it stands still while the reader is with a slide, and for readers who prefer that nothing moves', () => {
  const stop = enable(carousel(2));
  document.querySelector<HTMLElement>('.carousel a')!.focus();
  stays(2);
  expect(place()).toBe('1 / 2');
  (document.activeElement as HTMLElement).blur();
  const track = document.querySelector('.carousel-track')!;
  track.dispatchEvent(new Event('pointerenter'));
  stays(2);
  expect(place()).toBe('1 / 2');
  track.dispatchEvent(new Event('pointerleave'));
  stays(1);
  expect(place()).toBe('2 / 2');
  stop();
  reduced = true;
  const end = enable(carousel(2));
  stays(2);
  expect(place()).toBe('1 / 2');
  expect(button('[data-pause] span').textContent).toBe('Play');
  button('[data-step="1"]').click();
  expect(place(), 'the buttons work').toBe('2 / 2');
  end();
});

test('slides from right to left have negative places', () => {
  const element = carousel(3, -1);
  const stop = enable(element);
  button('[data-step="1"]').click();
  expect(element.querySelector('.carousel-track')!.scrollLeft).toBe(-100);
  expect(place()).toBe('2 / 3');
  stop();
});

test('a single slide has nothing to move, and a carousel that has ended does not move on', () => {
  const one = carousel(1);
  enable(one)();
  expect(one.dataset['moving']).toBeUndefined();
  const two = carousel(2);
  const stop = enable(two);
  expect(two.dataset['moving']).toBe('');
  stop();
  stays(3);
  expect(two.dataset['moving']).toBeUndefined();
  expect(place()).toBe('1 / 2');
});
