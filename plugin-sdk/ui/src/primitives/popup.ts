import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';

/** The popup that is open, of all modules. */
let shown: object | undefined;
const listeners = new Set<() => void>();

/** A video that the open popup hides. */
interface Hidden {
  video: HTMLVideoElement;
  /** Its own style, before it was hidden. */
  visibility: string;
  wasPlaying: boolean;
}
let hidden: Hidden[] = [];

/** Hides the videos of the page, and pauses those that play. They keep their place, so that nothing moves. */
function hideVideos(): void {
  hidden = [...document.querySelectorAll('video')].map((video) => ({
    video,
    visibility: video.style.visibility,
    wasPlaying: !video.paused && !video.ended,
  }));
  for (const { video } of hidden) {
    video.pause();
    video.style.visibility = 'hidden';
  }
}

/** Shows them again; those go on that were playing. */
function showVideos(): void {
  for (const { video, visibility, wasPlaying } of hidden) {
    video.style.visibility = visibility;
    // The popup may have led to another page, and the browser may want a click of the reader first.
    if (wasPlaying && video.isConnected) void Promise.resolve(video.play()).catch(() => undefined);
  }
  hidden = [];
}

function show(popup: object | undefined): void {
  if (popup && !shown) hideVideos();
  if (!popup && shown) showVideos();
  shown = popup;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const closed = () => false;

/**
 * Whether a popup over the page is open, and the way to open and close it. Of all popups of a page, in whatever modules, one is open at a time:
 * opening another one closes it. While one is open, the videos of the page are hidden.
 */
export function usePopup(): [open: boolean, setOpen: (open: boolean) => void] {
  const own = useRef<object>({}).current;
  const open = useSyncExternalStore(subscribe, () => shown === own, closed);
  const setOpen = useCallback(
    (wanted: boolean) => {
      if (wanted !== (shown === own)) show(wanted ? own : undefined);
    },
    [own],
  );
  useEffect(() => () => setOpen(false), [setOpen]);
  return [open, setOpen];
}
