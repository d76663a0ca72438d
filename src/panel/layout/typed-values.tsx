import { choicesOf, type Form } from '../http/form';
import type { Messages } from '../messages/catalogues';
import { useVisit } from './current-visit';
import { Facts } from './values';

function typedIn(form: Form, { typedValues }: Messages): (readonly [label: string, value: string])[] {
  return Object.entries(typedValues.fields).flatMap(([name, label]) => {
    const value = Object.hasOwn(form, name) ? choicesOf(form, name).join(', ').trim() : '';
    return value === '' ? [] : [[label, value] as const];
  });
}

export function hasTyped(form: Form | undefined, messages: Messages): boolean {
  return form !== undefined && typedIn(form, messages).length > 0;
}

/** What was typed, on a page that answers a form with an error. Read-only: the form may be another site's. */
export function TypedValues({ form }: { form: Form | undefined }) {
  const { messages } = useVisit();
  const facts = form === undefined ? [] : typedIn(form, messages);
  if (facts.length === 0) return null;
  return (
    <>
      <p>{messages.typedValues.typed}</p>
      <Facts facts={facts} />
    </>
  );
}
