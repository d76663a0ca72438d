import { DomainError, InvalidValueError } from '../common/errors/domain.error';
import { characterCount } from '../common/text';

export const LONGEST_NOTE = 500;
export const LONGEST_REFERENCE = 200;

/** A txid, or a deposit by it. */
const PAYMENT = /^([0-9a-f]{64})(:0)?$/i;

/** A payment by a contract, which an operator has credited. */
const CREDITED_BY_HAND = /^deposit [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isPayment = (reference: string): boolean => PAYMENT.test(reference);

/** A payment on the chain can have been booked by its txid, by hand, or as the deposit `txid:0`: the given reference first. */
export function referencesOfPayment(reference: string): readonly string[] {
  const [, txid] = PAYMENT.exec(reference) ?? [];
  return txid === undefined ? [reference] : [...new Set([reference, txid, `${txid}:0`])];
}

/**
 * What a restore has lost of a payment by a contract is found by what its address holds, which no movement by hand explains: booked as one, it
 * could be credited a second time. @throws DomainError
 */
export function refuseCreditedByHand(reference: string): void {
  if (CREDITED_BY_HAND.test(reference)) throw new DomainError('movement.reference-of-deposit', { reference });
}

export function checkNote(note: string): string {
  if (characterCount(note) <= LONGEST_NOTE) return note;
  throw new InvalidValueError('movement.note-length', { longest: LONGEST_NOTE });
}

/**
 * Without blanks and line ends around it: `inv-9` from a file with other line ends is the same invoice. Refused rather than cut: two that
 * differ only behind the cut would be one, and the second would move no money. Refused when it is empty, as of a variable that is not set,
 * for the same reason. A txid is the same in upper case.
 */
export function checkReference(text: string): string {
  const trimmed = text.trim();
  const reference = PAYMENT.test(trimmed) ? trimmed.toLowerCase() : trimmed;
  if (reference === '') throw new InvalidValueError('movement.reference-empty');
  if (characterCount(reference) <= LONGEST_REFERENCE) return reference;
  throw new InvalidValueError('movement.reference-length', { longest: LONGEST_REFERENCE });
}
