import { flushSync } from 'react-dom';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isChoice = (field: Field): field is HTMLInputElement => field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);

function isChanged(field: Field): boolean {
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const wanted = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(wanted, 0);
}

/** Tells React about a value that it has not seen: to React, the field has the value that it tracks, and an event without a change is none. */
function announce(field: Field): void {
  const tracker = (field as { _valueTracker?: { setValue(value: string): void } })._valueTracker;
  tracker?.setValue(isChoice(field) ? String(!field.checked) : `${field.value}\0`);
  if (isChoice(field)) field.dispatchEvent(new Event('click', { bubbles: true }));
  else field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

/** Runs `takeOver`, by which React takes over the markup of an element, and keeps what a reader has typed and chosen there before. */
export function keepTyped<T>(container: Element, takeOver: () => T): T {
  const fields = () => [...container.querySelectorAll<Field>('input, textarea, select')];
  const changed = fields().flatMap((field, index) => (isChanged(field) ? [{ field, index, value: field.value }] : []));
  const active = document.activeElement;
  const focused = active && container.contains(active) ? [...container.querySelectorAll('*')].indexOf(active) : -1;
  const result = takeOver();
  if (!changed.length && focused < 0) return result;
  // After this task: React must not be asked to render while it does.
  queueMicrotask(() => {
    const now = fields();
    for (const { field, index, value } of changed) {
      // Another element, if what React rendered differs from the markup.
      const same = field.isConnected ? field : now[index];
      if (!same || same.tagName !== field.tagName || isChoice(same)) continue;
      if (same.value !== value) same.value = value;
      flushSync(() => announce(same));
    }
    const place = [...container.querySelectorAll<HTMLElement>('*')][focused];
    if (place && active && !active.isConnected && place.tagName === active.tagName) place.focus({ preventScroll: true });
  });
  return result;
}
