import BigNumber from 'bignumber.js';
import type { UserSettings } from '../../../auth/user.service';
import { RefusalError } from '../../../common/refusal.error';
import { parseTrx } from '../../../common/sun';
import type { Quota } from '../../../operate/operate-money';
import { type Form, textOf } from '../../http/form';
import { PanelError } from '../../http/panel-errors';
import { formKeyOf } from '../../layout/form-key';
import type { UserWords } from './user.words';

const LEAST_PRICE_SUN = 2_000_000n;
const MOST_PRICE_SUN = 2_500_000n;

/** @throws RefusalError in the reader's language. Empty means the configured default. */
export function readSettings(form: Form, words: UserWords): UserSettings & { name: string; operator: boolean } {
  const price = textOf(form, 'unit_price');
  const unitPriceSun = price === '' ? null : parseTrx(price);
  if (price !== '' && (unitPriceSun === null || unitPriceSun < LEAST_PRICE_SUN || unitPriceSun > MOST_PRICE_SUN)) {
    throw new RefusalError(words.badPrice);
  }
  const calls = textOf(form, 'rate_limit');
  return {
    name: textOf(form, 'name'),
    operator: textOf(form, 'operator') === 'yes',
    unitPriceSun,
    rateLimitPerMinute: calls === '' ? null : wholeNumber(calls, 1_000_000, words.badRate),
  };
}

export function readMovement(form: Form, words: UserWords): { amountSun: bigint; note: string; reference: string } {
  const amountSun = parseTrx(textOf(form, 'amount'));
  if (amountSun === null || amountSun === 0n) throw new RefusalError(words.badAmount);
  const note = textOf(form, 'note');
  if (note === '') throw new RefusalError(words.badReason);
  // Without a name of its own, the filled-in form is the name: sent twice, it moves money once.
  const reference = textOf(form, 'reference') || `panel ${keyOf(form)}`;
  return { amountSun, note: note.slice(0, 500), reference: reference.slice(0, 200) };
}

export function readSubscription(form: Form, words: UserWords): Quota {
  const text = textOf(form, 'transactions');
  const transactions = /^\d{1,18}(?:\.\d{1,18})?$/.test(text) ? new BigNumber(text) : new BigNumber(0);
  if (transactions.isZero()) throw new RefusalError(words.badTransactions);
  return { id: keyOf(form), transactions, days: wholeNumber(textOf(form, 'days'), 36_500, words.badDays) };
}

/** Money and quota are given by forms of ours alone: each of them has a key. */
function keyOf(form: Form): string {
  const key = formKeyOf(form);
  if (key === null) throw new PanelError('bad-form');
  return key;
}

function wholeNumber(text: string, most: number, problem: string): number {
  const value = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new RefusalError(problem);
  return value;
}
