/** How a picture is shown on the stage of the viewer: scaled, then moved, in pixels of the stage. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** A stage and the place of the whole picture on it. */
export interface Stage {
  width: number;
  height: number;
  picture: { left: number; top: number; width: number; height: number };
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const MAX = 8;

/** The view scaled by `factor` around the point (x, y), in pixels of the stage; scale stays between 1 and 8. */
export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = Math.min(MAX, Math.max(1, view.scale * factor));
  if (scale === 1) return WHOLE;
  const real = scale / view.scale;
  return { scale, x: x - (x - view.x) * real, y: y - (y - view.y) * real };
}

/** The view moved so that the picture stays on the stage: it covers the stage in a direction in which it is larger, and is in the middle of one in which it is not. */
export function kept(view: View, { width, height, picture }: Stage): View {
  if (!width || !picture.width) return view;
  const along = (offset: number, start: number, length: number, room: number) => {
    const [first, size] = [start * view.scale, length * view.scale];
    const wanted = size <= room ? (room - size) / 2 : Math.min(0, Math.max(room - size, first + offset));
    return wanted - first;
  };
  return {
    scale: view.scale,
    x: along(view.x, picture.left, picture.width, width),
    y: along(view.y, picture.top, picture.height, height),
  };
}
