import { choicesOf, type Form, textOf } from '../http/form';

/** What a form showed when it was opened goes with it, under names of its own: only what differs from it is written. */
export const SHOWN = 'shown_';

/** Hidden beside the fields, which show the same at first; choices of one name stand in one. */
export function ShownFields({ fields }: { fields: Form }) {
  return (
    <>
      {Object.keys(fields).map((name) => (
        <input key={name} type="hidden" name={`${SHOWN}${name}`} value={inOne(fields, name)} autocomplete="off" />
      ))}
    </>
  );
}

/** What the form showed, under the names of its fields. One that came without a field showed nothing in it. */
export function shownIn(form: Form): Form {
  const shown = Object.entries(form).filter(([name]) => name.startsWith(SHOWN));
  return Object.fromEntries(shown.map(([name, value]) => [name.slice(SHOWN.length), value]));
}

/** For a form that was refused: what was typed over what it showed, and around it what is true by now. */
export function refilled(form: Form, now: Form): Form {
  const shown = shownIn(form);
  const isTyped = (name: string) => inOne(form, name) !== textOf(shown, name);
  const typed = Object.keys(now).filter(isTyped);
  return { ...now, ...Object.fromEntries(typed.map((name) => [name, choicesOf(form, name)])) };
}

function inOne(form: Form, name: string): string {
  return choicesOf(form, name).join(' ').trim();
}
