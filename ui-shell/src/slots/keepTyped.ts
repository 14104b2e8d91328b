import { flushSync } from 'react-dom';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isChanged(field: Field): boolean {
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const wanted = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(wanted, 0);
}

/** Tells React about a value that it has not seen: to React, the field has the value that it tracks, and an event without a change is none. */
function announce(field: Field): void {
  const tracker = (field as { _valueTracker?: { setValue(value: string): void } })._valueTracker;
  tracker?.setValue(`${field.value}\0`);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

/**
 * Notes what a reader has typed in the markup of an element before React takes it over, and where the focus is. Returns a function that gives both
 * to React; it is called when React has taken the markup over, in the task in which it did, and counts what was typed until then.
 */
export function keepTyped(container: Element): () => void {
  const fields = () => [...container.querySelectorAll<Field>('input:not([type=checkbox], [type=radio]), textarea, select')];
  const before = fields().map((field) => ({ field, changed: isChanged(field), value: field.value }));
  const active = document.activeElement;
  const focused = active && container.contains(active) ? [...container.querySelectorAll('*')].indexOf(active) : -1;
  return () => {
    const now = fields();
    for (const [index, { field, changed, value }] of before.entries()) {
      // Another element, if what React rendered differs from the markup.
      const same = field.isConnected ? field : now[index];
      if (!same || same.tagName !== field.tagName) continue;
      if (same !== field && changed) same.value = value;
      if (same === field ? isChanged(field) : changed) flushSync(() => announce(same));
    }
    const place = [...container.querySelectorAll<HTMLElement>('*')][focused];
    if (place && active && !active.isConnected && place.tagName === active.tagName) place.focus({ preventScroll: true });
  };
}
