import { randomUUID } from 'node:crypto';
import type { SessionData } from 'express-session';
import { validate as isUuid } from 'uuid';
import { type Form, textOf } from '../http/form';

const FIELD = 'form_key';
const KEPT = 30;

/** Names one filling-in of a form: sent again by a reload, it is known. */
export function FormKey({ form }: { form?: Form }) {
  return <input type="hidden" name={FIELD} value={formKeyOf(form) ?? randomUUID()} />;
}

export function formKeyOf(form: Form | undefined): string | null {
  const key = textOf(form, FIELD);
  return isUuid(key) ? key : null;
}

export function wasUsed(session: Partial<SessionData>, form: Form): boolean {
  const key = formKeyOf(form);
  return key !== null && (session.usedForms ?? []).includes(key);
}

export function markUsed(session: Partial<SessionData>, form: Form): void {
  const key = formKeyOf(form);
  if (key !== null) session.usedForms = [key, ...(session.usedForms ?? [])].slice(0, KEPT);
}
