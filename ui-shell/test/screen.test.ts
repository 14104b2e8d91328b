import { afterEach, describe, expect, it, vi } from 'vitest';
import { classifyScreen, screenClass } from '../src/browser/screen.ts';

describe('screenClass', () => {
  it.each([
    ['a monitor of 1920 by 1080', 1920, 1080, 1, '1080p'],
    ['the same with larger letters', 1536, 864, 1.25, '1080p'],
    ['the same by a ratio that is not exact', 1745, 982, 1.1, '1080p'],
    ['the same, upright', 1080, 1920, 1, '1080p'],
    ['a laptop of 1366 by 768', 1366, 768, 1, '720p'],
    ['a monitor that is wide and low', 2560, 1079, 1, '720p'],
    ['a monitor that is high enough and narrow', 1600, 1200, 1, '720p'],
    ['a phone with many pixels', 390, 844, 3, '1080p'],
    ['a phone with few', 360, 640, 2, '720p'],
    ['no ratio: 96 dpi', 1920, 1080, undefined, '1080p'],
    ['a ratio that is none', 1920, 1080, 0, '1080p'],
  ] as const)('knows %s', (_, width, height, ratio, expected) => {
    expect(screenClass(width, height, ratio)).toBe(expected);
  });
});

describe('classifyScreen', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('sets one class, beside others, and follows the window to another screen', () => {
    const root = document.createElement('html');
    root.className = 'other';
    vi.stubGlobal('screen', { width: 1280, height: 720 });
    classifyScreen(root);
    expect([...root.classList]).toEqual(['other', '720p']);
    vi.stubGlobal('screen', { width: 2560, height: 1440 });
    dispatchEvent(new Event('resize'));
    expect([...root.classList]).toEqual(['other', '1080p']);
  });
});
