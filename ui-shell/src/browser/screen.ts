/** The classes of screens: with fewer physical pixels than 1080 by 1920, and with as many. */
export type ScreenClass = '720p' | '1080p';

/** The class of a screen of a size in CSS pixels, whichever way it is turned. Without a ratio, a pixel is that of 96 dpi. */
export function screenClass(width: number, height: number, ratio = 1): ScreenClass {
  const physical = (side: number) => Math.round(side * (ratio > 0 ? ratio : 1));
  return physical(Math.min(width, height)) < 1080 || physical(Math.max(width, height)) < 1920 ? '720p' : '1080p';
}

/** Gives the document the class of its screen, for style sheets of sites and modules, and again when the window comes to another screen. */
export function classifyScreen(root: HTMLElement = document.documentElement): void {
  const classify = () => {
    const found = screenClass(screen.width, screen.height, window.devicePixelRatio);
    for (const name of ['720p', '1080p'] satisfies ScreenClass[]) root.classList.toggle(name, name === found);
  };
  classify();
  addEventListener('resize', classify);
}
