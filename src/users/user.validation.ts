import { isEmail } from 'class-validator';
import { InvalidValueError } from '../common/errors/domain.error';
import { characterCount, hasUnseen, oneSpelling } from '../common/text';

const LONGEST_NAME = 200;
const MOST_CALLS = 1_000_000;

export function normaliseEmail(email: string): string {
  return oneSpelling(email).toLowerCase();
}

export function checkEmail(email: string): string {
  const normalised = normaliseEmail(email);
  if (!isEmail(normalised) || hasUnseen(normalised)) throw new InvalidValueError('user.email-invalid', { email });
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
