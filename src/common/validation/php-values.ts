import { BigNumber } from 'bignumber.js';
import { characterCount } from '../text';

// `\s` with PHP's /u (PCRE2 with UCP) is \p{Z}, \h or \v: JavaScript's, and U+0085 and U+180E. U+FEFF and U+200B are TrimStrings' own.
const TRIMMED = /[\s\u0085\u180e\u200b\ufeff]/;
/** What PHP's trim() takes away. */
const BLANK = /^[ \t\n\r\0\v]*$/;
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Laravel's TrimStrings and ConvertEmptyStringsToNull. */
export function normaliseInput(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return trim(value) || null;
}

/** The same, and null too for what the rules of a body would not look at. */
export function blankToNull(value: unknown): unknown {
  const input = normaliseInput(value);
  return isAbsent(input) ? null : input;
}

export function emptyToNull(value: unknown): unknown {
  return value === '' ? null : value;
}

/** By hand: an expression for the end of a string takes quadratic time over white space in its middle. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && TRIMMED.test(text[start]!)) start++;
  while (start < end && TRIMMED.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** Nothing that a rule other than `required` would look at. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && BLANK.test(value));
}

export function isPhpArray(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function countOf(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** PHP 8's is_numeric, for trimmed strings. */
export function isNumeric(value: unknown): value is bigint | number | string {
  return typeof value === 'bigint' || typeof value === 'number' || (typeof value === 'string' && NUMERIC.test(value));
}

/** PHP casts a float to a string with 14 significant digits before it compares it with a rule's parameter. */
export function asCompared(value: bigint | number | string): BigNumber {
  return typeof value === 'number' ? toDecimal(Number(value.toPrecision(14))) : toDecimal(value);
}

/** Exact; a double by its shortest decimal. An exponent costs no memory: what is out of BigNumber's range is Infinity or 0. */
export function toDecimal(value: bigint | number | string): BigNumber {
  return new BigNumber(String(value).replace(/^\+/, ''));
}

/** mb_strlen of the value cast to a string; false is the empty one. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return characterCount(String(value));
}
