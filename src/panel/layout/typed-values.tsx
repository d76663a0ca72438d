import { choicesOf, type Form } from '../http/form';
import type { PageContext } from '../http/page-context';
import { TYPED_MESSAGES } from '../messages/typed-values.messages';
import { Facts } from './values';

function typedIn(form: Form, { locale }: PageContext): (readonly [label: string, value: string])[] {
  return Object.entries(TYPED_MESSAGES[locale].fields).flatMap(([name, label]) => {
    const value = Object.hasOwn(form, name) ? choicesOf(form, name).join(', ').trim() : '';
    return value === '' ? [] : [[label, value] as const];
  });
}

export function hasTyped(form: Form | undefined, pageContext: PageContext): boolean {
  return form !== undefined && typedIn(form, pageContext).length > 0;
}

/** What was typed, on a page that answers a form with an error. Read-only: the form may be another site's. */
export function TypedValues({ pageContext, form }: { pageContext: PageContext; form: Form | undefined }) {
  const facts = form === undefined ? [] : typedIn(form, pageContext);
  if (facts.length === 0) return null;
  return (
    <>
      <p>{TYPED_MESSAGES[pageContext.locale].typed}</p>
      <Facts facts={facts} />
    </>
  );
}
