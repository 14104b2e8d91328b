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

  it('pauses videos when it opens', async () => {
    const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined);
    const video = document.body.appendChild(document.createElement('video'));
    render(<Popup name="menu" />);
    expect(pause).not.toHaveBeenCalled();
    await act(async () => screen.getByText('menu').click());
    expect(pause).toHaveBeenCalledOnce();
    await act(async () => screen.getByText('menu').click());
    expect(pause).toHaveBeenCalledOnce();
    video.remove();
  });
});
