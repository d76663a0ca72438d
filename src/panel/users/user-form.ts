import BigNumber from 'bignumber.js';
import type { Quota } from '../../admin/money-admin.service';
import { checkNote, checkReference } from '../../balance/movement-values';
import { parseTrx } from '../../common/money/sun';
import { type Form, textOf } from '../http/form';
import { FieldError } from '../http/form-refusal';
import { PanelError } from '../http/panel-errors';
import { formKeyOf } from '../layout/form-key';
import type { UserMessages } from '../messages/user.messages';
import { referenceOfForm } from '../money/reference';

export interface RequestedMovement {
  readonly kind: 'credit' | 'debit';
  readonly amountSun: bigint;
  readonly note: string;
  readonly reference: string;
}

/** @throws FieldError in the reader's language. */
export function readMovement(form: Form, messages: UserMessages): RequestedMovement {
  const key = keyOf(form);
  const kind = textOf(form, 'kind');
  if (kind !== 'credit' && kind !== 'debit') throw new FieldError('kind', messages.badKind);
  const amountSun = parseTrx(textOf(form, 'amount'));
  if (amountSun === null || amountSun === 0n) throw new FieldError('amount', messages.badAmount);
  const note = textOf(form, 'note');
  if (note === '') throw new FieldError('note', messages.badReason);
  // Without a name of its own, the filled-in form is the name: sent twice, it moves money once.
  const reference = textOf(form, 'reference') || referenceOfForm(key);
  return { kind, amountSun, note: checkNote(note), reference: checkReference(reference) };
}

export function readSubscription(form: Form, messages: UserMessages): Quota {
  const id = keyOf(form);
  const text = textOf(form, 'transactions');
  const transactions = /^\d{1,18}(?:\.\d{1,18})?$/.test(text) ? new BigNumber(text) : new BigNumber(0);
  if (transactions.isZero()) throw new FieldError('transactions', messages.badTransactions);
  const badDays = new FieldError('days', messages.badDays);
  return { id, transactions, days: wholeNumber(textOf(form, 'days'), 36_500, badDays) };
}

/** Money and quota are given by forms of ours alone: each of them has a key. */
function keyOf(form: Form): string {
  const key = formKeyOf(form);
  if (key === null) throw new PanelError('bad-form');
  return key;
}

export function wholeNumber(text: string, most: number, problem: FieldError): number {
  const value = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw problem;
  return value;
}
