import { choicesOf, type Form } from '../http/form';
import type { Visit } from '../http/page-context';
import { TYPED_WORDS } from '../messages/typed-values.messages';
import { Facts } from './values';

function typedIn(form: Form, { locale }: Visit): (readonly [label: string, value: string])[] {
  return Object.entries(TYPED_WORDS[locale].fields).flatMap(([name, label]) => {
    const value = Object.hasOwn(form, name) ? choicesOf(form, name).join(', ').trim() : '';
    return value === '' ? [] : [[label, value] as const];
  });
}

export function hasTyped(form: Form | undefined, visit: Visit): boolean {
  return form !== undefined && typedIn(form, visit).length > 0;
}

/** On a page that answers a form with an error, so that it need not be thought up once more. To be read only: whether the form was ours is not known. */
export function TypedValues({ visit, form }: { visit: Visit; form: Form | undefined }) {
  const facts = form === undefined ? [] : typedIn(form, visit);
  if (facts.length === 0) return null;
  return (
    <>
      <p>{TYPED_WORDS[visit.locale].typed}</p>
      <Facts facts={facts} />
    </>
  );
}
