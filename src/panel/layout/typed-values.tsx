import { choicesOf, type Form } from '../http/form';
import type { Locale } from '../messages/locale';
import { TYPED_MESSAGES } from '../messages/typed-values.messages';
import { useCurrentPage, useMessages } from './current-page';
import { Facts } from './values';

function typedIn(form: Form, locale: Locale): (readonly [label: string, value: string])[] {
  return Object.entries(TYPED_MESSAGES[locale].fields).flatMap(([name, label]) => {
    const value = Object.hasOwn(form, name) ? choicesOf(form, name).join(', ').trim() : '';
    return value === '' ? [] : [[label, value] as const];
  });
}

export function hasTyped(form: Form | undefined, locale: Locale): boolean {
  return form !== undefined && typedIn(form, locale).length > 0;
}

/** What was typed, on a page that answers a form with an error. Read-only: the form may be another site's. */
export function TypedValues({ form }: { form: Form | undefined }) {
  const { locale } = useCurrentPage();
  const messages = useMessages(TYPED_MESSAGES);
  const facts = form === undefined ? [] : typedIn(form, locale);
  if (facts.length === 0) return null;
  return (
    <>
      <p>{messages.typed}</p>
      <Facts facts={facts} />
    </>
  );
}
