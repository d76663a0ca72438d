import { randomUUID } from 'node:crypto';
import { type Form, uuidOf } from '../http/form';
import { PanelError } from '../http/panel-errors';

const FIELD = 'form_key';

/** Identifies one filled-in form. What it creates takes this id, so that sending it twice creates it once. */
export function FormKey({ form }: { form?: Form }) {
  return <input type="hidden" name={FIELD} value={formKeyOf(form) ?? randomUUID()} autocomplete="off" />;
}

/** Of a form without which nothing is done. @throws PanelError bad-form */
export function neededFormKey(form: Form): string {
  const key = formKeyOf(form);
  if (key === null) throw new PanelError('bad-form');
  return key;
}

export function formKeyOf(form: Form | undefined): string | null {
  return uuidOf(form, FIELD);
}
