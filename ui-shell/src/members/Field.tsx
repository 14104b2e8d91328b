import { useId, type InputHTMLAttributes, type ReactNode } from 'react';

/** A field of a form in a dialog: the same markup as that of the host's forms, with the styles of `forms.css`. */
export function Field({
  label,
  hint,
  error,
  beside,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & {
  label: string;
  hint?: string | undefined;
  /** What is wrong with the value. */
  error?: string | undefined;
  /** A button beside the control. */
  beside?: ReactNode;
}) {
  const own = useId();
  const id = input.id ?? own;
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control = <input {...input} id={id} aria-invalid={error ? true : undefined} aria-describedby={about || undefined} />;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {beside ? (
        <div className="field-row">
          {control}
          {beside}
        </div>
      ) : (
        control
      )}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
