import { isEmail } from 'class-validator';
import { domainToASCII } from 'node:url';
import { InvalidValueError } from '../common/errors/domain.error';
import { characterCount, hasUnseen, oneSpelling } from '../common/text';

const LONGEST_NAME = 200;
const MOST_CALLS = 1_000_000;

/** What quotes, lists and comments of a mail header are made of: an address with one of these is legal, and worth no risk. */
const OF_HEADERS = /["\\(),:;<>[\]\s]/;

/**
 * The one spelling of an address: without blanks around it, in compatible characters (NFKC), in small letters, and with the domain as DNS has
 * it (`xn--…`). Mail goes to this spelling, never to another that was typed: a letter that only looks like another one leads to no other mailbox.
 */
export function normaliseEmail(email: string): string {
  const text = email.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  if (at < 0 || isAscii(domain)) return text;
  return `${text.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

export function checkEmail(email: string): string {
  const normalised = normaliseEmail(email);
  if (!isEmail(normalised) || hasUnseen(normalised) || OF_HEADERS.test(normalised))
    throw new InvalidValueError('user.email-invalid', { email });
  return normalised;
}

export function checkUserName(name: string): string {
  const trimmed = oneSpelling(name);
  if (hasUnseen(trimmed)) throw new InvalidValueError('user.name-unseen');
  if (trimmed !== '' && characterCount(trimmed) <= LONGEST_NAME) return trimmed;
  throw new InvalidValueError('user.name-length', { longest: LONGEST_NAME });
}

export function checkRateLimit(calls: number | null): number | null {
  if (calls === null || (Number.isInteger(calls) && calls >= 1 && calls <= MOST_CALLS)) return calls;
  throw new InvalidValueError('user.rate-limit-invalid', { most: MOST_CALLS });
}
