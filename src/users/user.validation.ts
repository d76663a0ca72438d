import { isEmail } from 'class-validator';
import { InvalidValueError } from '../common/errors/domain.error';
import { characterCount } from '../common/text';

const LONGEST_NAME = 200;
const MOST_CALLS = 1_000_000;

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function checkEmail(email: string): string {
  const normalised = normaliseEmail(email);
  if (!isEmail(normalised)) throw new InvalidValueError('user.email-invalid', { email });
  return normalised;
}

export function checkUserName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && characterCount(trimmed) <= LONGEST_NAME) return trimmed;
  throw new InvalidValueError('user.name-length', { longest: LONGEST_NAME });
}

export function checkRateLimit(calls: number | null): number | null {
  if (calls === null || (Number.isInteger(calls) && calls >= 1 && calls <= MOST_CALLS)) return calls;
  throw new InvalidValueError('user.rate-limit-invalid', { most: MOST_CALLS });
}
