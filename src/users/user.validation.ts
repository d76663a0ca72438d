import { isEmail } from 'class-validator';
import { InvalidValueError } from '../common/errors/domain.error';
import { characterCount } from '../common/text';

const MOST_CALLS = 1_000_000;

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function checkEmail(email: string): string {
  const normalised = normaliseEmail(email);
  if (!isEmail(normalised)) throw new InvalidValueError(`${JSON.stringify(email)} is no e-mail address`);
  return normalised;
}

export function checkUserName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || characterCount(trimmed) > 200)
    throw new InvalidValueError('a user needs a name of 1 to 200 characters');
  return trimmed;
}

export function checkRateLimit(calls: number | null): number | null {
  if (calls === null || (Number.isInteger(calls) && calls >= 1 && calls <= MOST_CALLS)) return calls;
  throw new InvalidValueError(`a rate limit is a whole number of calls a minute from 1 to ${MOST_CALLS}`);
}
