/** What is wrong, by the name of the field. */
export type Faults = Record<string, string | undefined>;

const controlOf = (form: HTMLFormElement, name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`);

/** The place of a field's error, which the host has sent empty, or has left out. */
const placeOf = (control: HTMLElement) => {
  const field = control.closest('.field, .check');
  const id = `${control.id}-error`;
  const found = document.getElementById(id);
  if (found || !field) return found;
  const place = Object.assign(document.createElement('p'), { className: 'field-error', id, hidden: true });
  field.append(place);
  return place;
};

function tell(control: HTMLInputElement, text: string | undefined): void {
  const place = placeOf(control);
  const others = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== place?.id);
  if (place) {
    place.textContent = text ?? '';
    place.hidden = !text;
    if (text) others.push(place.id);
  }
  if (others.length) control.setAttribute('aria-describedby', others.join(' '));
  else control.removeAttribute('aria-describedby');
  if (text) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
}

/** Shows what is wrong beside the fields of a form that the host has drawn, and leads to the first one. Returns whether nothing is. */
export function showFaults(form: HTMLFormElement, faults: Faults): boolean {
  let first: HTMLInputElement | undefined;
  for (const [name, text] of Object.entries(faults)) {
    const control = controlOf(form, name);
    if (!control) continue;
    tell(control, text);
    if (text && (!first || first.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING)) first = control;
  }
  first?.focus();
  return !Object.values(faults).some(Boolean);
}

/** Takes the error of a field away once it is edited. */
export function forgetFault(event: Event): void {
  const control = event.target;
  if (control instanceof HTMLElement && control.getAttribute('aria-invalid') === 'true') tell(control as HTMLInputElement, undefined);
}
