import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { usePopup } from '../src/index.ts';

function Popup({ name }: { name: string }) {
  const [open, setOpen] = usePopup();
  return (
    <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
      {name}
    </button>
  );
}
const expanded = () => screen.getAllByRole('button').map((button) => [button.textContent, button.getAttribute('aria-expanded')]);

describe('usePopup', () => {
  afterEach(() => vi.restoreAllMocks());

  it('has one popup open at a time, whatever module it is of', async () => {
    render(<Popup name="menu" />);
    const search = render(<Popup name="search" />);
    await userEvent.click(screen.getByText('menu'));
    expect(expanded()).toEqual([
      ['menu', 'true'],
      ['search', 'false'],
    ]);
    await userEvent.click(screen.getByText('search'));
    expect(expanded()).toEqual([
      ['menu', 'false'],
      ['search', 'true'],
    ]);
    search.unmount();
    render(<Popup name="search" />);
    expect(expanded().map(([, open]) => open)).toEqual(['false', 'false']);
  });

  /** A video in the page that plays, or does not. */
  const addVideo = (playing: boolean) => {
    const video = document.body.appendChild(document.createElement('video'));
    Object.defineProperty(video, 'paused', { value: !playing });
    const calls = { pause: vi.spyOn(video, 'pause').mockImplementation(() => undefined), play: vi.spyOn(video, 'play').mockResolvedValue(undefined) };
    return { video, ...calls };
  };
  const press = (name: string) => act(async () => screen.getByText(name).click());

  it('hides videos while it is open, and lets those go on that were playing', async () => {
    const [playing, still] = [addVideo(true), addVideo(false)];
    still.video.style.visibility = 'visible';
    const visibility = () => [playing, still].map(({ video }) => video.style.visibility);
    render(<Popup name="menu" />);
    render(<Popup name="search" />);
    await press('menu');
    expect(visibility()).toEqual(['hidden', 'hidden']);
    expect(playing.pause).toHaveBeenCalledOnce();
    await press('search');
    expect(visibility()).toEqual(['hidden', 'hidden']);
    expect(playing.play).not.toHaveBeenCalled();
    await press('search');
    expect(visibility()).toEqual(['', 'visible']);
    expect(playing.play).toHaveBeenCalledOnce();
    expect(still.play).not.toHaveBeenCalled();
    for (const { video } of [playing, still]) video.remove();
  });

  it('does not play a video of a page that was left', async () => {
    const { video, play } = addVideo(true);
    const { unmount } = render(<Popup name="menu" />);
    await press('menu');
    video.remove();
    unmount();
    expect(play).not.toHaveBeenCalled();
    expect(video.style.visibility).toBe('');
  });
});
