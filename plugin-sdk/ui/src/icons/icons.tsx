/** An icon: a line on a field of 24 × 24, in the colour of the text. The control around it names its meaning. */
export function Icon({ path, className }: { path: string; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      <path d={path} />
    </svg>
  );
}

export const CHEVRON = 'M7 10l5 5 5-5';
export const CLOSE = 'M6 6l12 12M18 6L6 18';
export const DOTS = 'M5 12h.01M12 12h.01M19 12h.01';
export const GLOBE = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 12h17M12 3c2.4 2.5 3.6 5.5 3.6 9s-1.2 6.5-3.6 9c-2.4-2.5-3.6-5.5-3.6-9S9.6 5.5 12 3z';
export const LINES = 'M4 7h16M4 12h16M4 17h16';
export const MAGNIFIER = 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20';
export const MOON = 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z';
export const PERSON = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5';
export const SCREEN = 'M4 5h16v11H4zM9 20h6M12 16v4';
export const SIGN_OUT = 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9.5';
export const SPEECH =
  'M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16h-6.5L8 20v-4H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5zM8.5 10.5h.01M12 10.5h.01M15.5 10.5h.01';
export const SUN =
  'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4';
