import type { PagePayload } from '@masthead/ui-sdk';
import { useEffect } from 'react';
import { reducedMotion } from '../browser/environment.ts';

/** How long a slide stays, in milliseconds. */
const STAY = 7000;

/**
 * Moves the carousels of the host's page and enables their buttons. A carousel moves by itself unless the reader has paused it, prefers
 * reduced motion, points at a slide or has the focus in it, or the page is hidden.
 */
export default function Carousel({ main, page }: { main: HTMLElement; page: PagePayload }) {
  useEffect(() => {
    const stops = [...main.querySelectorAll<HTMLElement>('.carousel')].map(enable);
    return () => stops.forEach((stop) => stop());
    // Another page brings other carousels.
  }, [main, page]);
  return null;
}

/** Makes a carousel move; returns what ends it. */
export function enable(carousel: HTMLElement): () => void {
  const track = carousel.querySelector<HTMLElement>('.carousel-track');
  const slides = [...carousel.querySelectorAll<HTMLElement>('.carousel-slide')];
  const place = carousel.querySelector<HTMLElement>('.carousel-place');
  const pause = carousel.querySelector<HTMLButtonElement>('[data-pause]');
  if (!track || slides.length < 2) return () => undefined;
  const listeners = new AbortController();
  const { signal } = listeners;
  let paused = reducedMotion();

  // In languages that are read from right to left, the slides after the first have negative places, as scrolling has.
  const placeOf = (slide: HTMLElement) => slide.offsetLeft - (slides[0]?.offsetLeft ?? 0);
  const current = () => {
    const distance = slides.map((slide) => Math.abs(placeOf(slide) - track.scrollLeft));
    return distance.indexOf(Math.min(...distance));
  };
  const show = (index: number) => {
    const slide = slides[(index + slides.length) % slides.length];
    if (slide) track.scrollTo({ left: placeOf(slide), behavior: reducedMotion() ? 'instant' : 'smooth' });
  };
  const tell = () => {
    const now = current();
    if (place) place.textContent = `${String(now + 1)} / ${String(slides.length)}`;
    // Slides out of sight are not reached with the keyboard, which would scroll the row while it moves.
    slides.forEach((slide, index) => {
      slide.inert = index !== now;
    });
  };
  const label = () => {
    const words = pause?.querySelector('span');
    if (!pause || !words) return;
    words.textContent = (paused ? pause.dataset['play'] : pause.dataset['pause']) ?? '';
    pause.querySelector('path')?.setAttribute('d', paused ? 'M8 5l11 7-11 7z' : 'M9 5v14M15 5v14');
  };

  for (const button of carousel.querySelectorAll<HTMLButtonElement>('[data-step]')) {
    button.addEventListener('click', () => show(current() + Number(button.dataset['step'])), { signal });
  }
  pause?.addEventListener(
    'click',
    () => {
      paused = !paused;
      label();
    },
    { signal },
  );
  track.addEventListener('scroll', tell, { passive: true, signal });
  // Not while the reader is with a slide. The buttons are beside the row: whoever presses the one that continues sees it move.
  let pointed = false;
  track.addEventListener('pointerenter', () => (pointed = true), { signal });
  track.addEventListener('pointerleave', () => (pointed = false), { signal });
  const held = () => paused || pointed || document.hidden || track.contains(document.activeElement);
  const timer = setInterval(() => {
    if (!held()) show(current() + 1);
  }, STAY);
  carousel.dataset['moving'] = '';
  label();
  tell();
  return () => {
    clearInterval(timer);
    listeners.abort();
    delete carousel.dataset['moving'];
    for (const slide of slides) slide.inert = false;
  };
}
