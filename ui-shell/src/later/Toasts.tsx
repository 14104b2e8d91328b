import { useT, type MessageKind } from '@masthead/ui-sdk';
import { useEffect, useSyncExternalStore } from 'react';

interface Toast {
  id: number;
  text: string;
  kind: MessageKind;
}

/** How many messages are shown at once; the oldest gives way. */
const MOST = 3;
/** Time in ms for which a message is shown: long enough to read it twice. */
const shownFor = (text: string) => Math.max(6000, text.length * 120);

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const set = (next: readonly Toast[]) => {
  toasts = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
const close = (id: number) => set(toasts.filter((toast) => toast.id !== id));

/** Shows a message; one that is shown already begins again. */
export function addToast(text: string, kind: MessageKind): void {
  if (!text) return;
  last += 1;
  set([...toasts.filter((toast) => toast.text !== text), { id: last, text, kind }].slice(-MOST));
}

function One({ toast: { id, text, kind } }: { toast: Toast }) {
  const t = useT();
  useEffect(() => {
    let timer = 0;
    const begin = () => (timer = window.setTimeout(() => close(id), shownFor(text)));
    // The time stands still while the window is in the background.
    const look = () => {
      clearTimeout(timer);
      if (!document.hidden) begin();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [id, text]);
  return (
    <div className="notice toast" data-kind={kind}>
      <p>{text}</p>
      <button type="button" className="toast-close" aria-label={t('close')} onClick={() => close(id)}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 6l12 12M18 6L6 18" />
        </svg>
      </button>
    </div>
  );
}

/** Short messages, in the live region of the page. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return shown.map((toast) => <One key={toast.id} toast={toast} />);
}

/** Removes all messages; for tests. */
export const forgetToasts = (): void => set([]);
