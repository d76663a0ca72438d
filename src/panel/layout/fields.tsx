import type { ComponentChildren, JSX } from 'preact';

interface FieldProps {
  readonly name: string;
  readonly id?: string;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search';
  readonly value?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly autocomplete?: string;
  readonly minlength?: number;
  readonly maxlength?: number;
  readonly inputmode?: 'decimal' | 'numeric';
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly spellcheck?: boolean;
  readonly label: string;
  readonly hint?: string;
}

/** A labelled input; what the hint says is read out with it. */
export function Field({ label, hint, id, ...input }: FieldProps) {
  const fieldId = id ?? `field-${input.name}`;
  // The types know one shape for each kind of input; this is several kinds at once.
  const attributes = {
    ...input,
    id: fieldId,
    'aria-describedby': hint && `${fieldId}-hint`,
  } as JSX.IntrinsicElements['input'];
  return (
    <div class="field">
      <label for={fieldId}>{label}</label>
      <input {...attributes} />
      {hint && <small id={`${fieldId}-hint`}>{hint}</small>}
    </div>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly checked?: boolean;
}

export function Checkbox({ name, value, label, hint, checked }: CheckboxProps) {
  const id = `field-${name}-${value}`;
  return (
    <div class="field choice">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={hint && `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

export function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <select id={`field-${name}`} name={name}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What was wrong with a form, above it. */
export function Problem({ children }: { children: ComponentChildren }) {
  if (!children) return null;
  return (
    <p class="notice refused" role="alert">
      {children}
    </p>
  );
}
