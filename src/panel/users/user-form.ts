import BigNumber from 'bignumber.js';
import type { Quota } from '../../admin/money-admin.service';
import { checkNote, checkReference } from '../../balance/movement-values';
import { parseTrx } from '../../common/money/sun';
import { type Form, FormError, textOf } from '../http/form';
import { neededFormKey } from '../layout/form-key';
import type { Messages } from '../messages/catalogues';
import { referenceOfForm } from '../money/reference';

export interface RequestedMovement {
  readonly kind: 'credit' | 'debit';
  readonly amountSun: bigint;
  readonly note: string;
  readonly reference: string;
}

/** @throws FormError in the reader's language. */
export function readMovement(form: Form, messages: Messages['user']): RequestedMovement {
  const key = neededFormKey(form);
  const kind = textOf(form, 'kind');
  if (kind !== 'credit' && kind !== 'debit') throw new FormError(messages.badKind, 'kind');
  const amountSun = parseTrx(textOf(form, 'amount'));
  if (amountSun === null || amountSun === 0n) throw new FormError(messages.badAmount, 'amount');
  const note = textOf(form, 'note');
  if (note === '') throw new FormError(messages.badReason, 'note');
  // Without a name of its own, the filled-in form is the name: sent twice, it moves money once.
  const reference = textOf(form, 'reference') || referenceOfForm(key);
  return { kind, amountSun, note: checkNote(note), reference: checkReference(reference) };
}

export function readSubscription(form: Form, messages: Messages['user']): Quota {
  const id = neededFormKey(form);
  const text = textOf(form, 'transactions');
  const transactions = /^\d{1,18}(?:\.\d{1,18})?$/.test(text) ? new BigNumber(text) : new BigNumber(0);
  if (transactions.isZero()) throw new FormError(messages.badTransactions, 'transactions');
  const badDays = new FormError(messages.badDays, 'days');
  const days = wholeNumber(textOf(form, 'days'), 36_500, badDays);
  const price = readPrice(form, messages);
  const reference = textOf(form, 'reference');
  return {
    id,
    transactions,
    days,
    ...(reference !== '' && { reference: checkReference(reference) }),
    ...(price && { price }),
  };
}

/** Without a price, the subscription is given. */
function readPrice(form: Form, messages: Messages['user']): Quota['price'] | null {
  const text = textOf(form, 'price');
  const paidBy = textOf(form, 'paid_by');
  if (text === '' && paidBy === '') return null;
  const priceSun = parseTrx(text);
  if (priceSun === null || priceSun === 0n) throw new FormError(messages.badAmount, 'price');
  if (paidBy !== 'balance' && paidBy !== 'reference') throw new FormError(messages.badPayer, 'paid_by');
  return { priceSun, paidBy };
}

export function wholeNumber(text: string, most: number, problem: FormError): number {
  const value = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw problem;
  return value;
}
