import { randomUUID } from 'node:crypto';
import { type Form, uuidOf } from '../http/form';

const FIELD = 'form_key';

/** Identifies one filled-in form. What it creates takes this id, so that sending it twice creates it once. */
export function FormKey({ form }: { form?: Form }) {
  return <input type="hidden" name={FIELD} value={formKeyOf(form) ?? randomUUID()} autocomplete="off" />;
}

export function formKeyOf(form: Form | undefined): string | null {
  return uuidOf(form, FIELD);
}
