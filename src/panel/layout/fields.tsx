import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { choicesOf } from '../http/form';
import { ShownForm, useFieldState, useShown } from './form-problem';

interface FieldProps {
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search';
  /** Else what the form shows; a password is never shown again. */
  readonly value?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly autocomplete?: string;
  readonly minlength?: number;
  readonly inputmode?: 'decimal' | 'numeric';
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly spellcheck?: boolean;
  readonly label: string;
  readonly hint?: string;
}

/**
 * A labelled input; what the hint says is read out with it, and what was wrong with it too. Without a `maxlength`: a browser cuts what
 * is pasted, blanks before it included, and says nothing; here it is trimmed, and what is too long is refused.
 */
export function Field({ label, hint, autofocus, ...input }: FieldProps) {
  const shown = useShown(input.name);
  const id = `field-${input.name}`;
  const hintId = hint && `${id}-hint`;
  // The types know one shape for each kind of input; this is several kinds together.
  const attributes = {
    ...input,
    value: input.value ?? (input.type === 'password' ? undefined : shown),
    id,
    ...useFieldState(input.name, { hintId, autofocus }),
  } as JSX.IntrinsicElements['input'];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...attributes} />
      {hint && <small id={hintId}>{hint}</small>}
    </div>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export function Checkbox({ name, value, label, hint }: CheckboxProps) {
  const id = `field-${name}`;
  const checked = useShown(name) === value;
  const state = useFieldState(name, { hintId: hint && `${id}-hint` });
  return <Box type="checkbox" {...{ id, name, value, label, hint, checked }} {...state} />;
}

type BoxProps = JSX.IntrinsicElements['input'] & { id: string; label: string; hint?: string };

/** A box or button before its label. */
export function Box({ label, hint, ...input }: BoxProps) {
  return (
    <div class="field choice">
      <input {...input} />
      <label for={input.id}>{label}</label>
      {hint && <small id={`${input.id}-hint`}>{hint}</small>}
    </div>
  );
}

interface ChoicesProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly label: string;
  /** Else what the form shows. */
  readonly chosen?: readonly string[];
  readonly required?: boolean;
  readonly options: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
}

/** Checkboxes or radio buttons under one heading. */
export function Choices({ type, name, label, chosen, required, options }: ChoicesProps) {
  const shown = choicesOf(useContext(ShownForm), name);
  const { autofocus, ...state } = useFieldState(name, {});
  return (
    <fieldset id={`field-${name}`} aria-describedby={state['aria-describedby']}>
      <legend>{label}</legend>
      {options.map(({ value, label: text, hint }, index) => (
        <Box
          key={value}
          type={type}
          id={`field-${name}-${value}`}
          {...{ name, value, hint, label: text }}
          checked={(chosen ?? shown).includes(value)}
          required={required}
          aria-invalid={state['aria-invalid']}
          aria-describedby={hint && `field-${name}-${value}-hint`}
          autofocus={autofocus && index === 0}
        />
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

export function Choice({ name, label, value, options }: ChoiceProps) {
  const id = `field-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} {...useFieldState(name, {})}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
