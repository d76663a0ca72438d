import { runInNewContext } from 'node:vm';
import { decodePhpJson } from '../../../src/common/http/php-json';
import { isNumeric, normaliseInput } from '../../../src/common/validation/php-values';

/** Sixty-four times what a body may have: a linear look takes a moment, a quadratic one many minutes. */
const LENGTH = 1024 * 1024;
/** As jest's own, which cannot interrupt what never waits. */
const TIMEOUT_MS = 60_000;

describe('a body made to be slow is looked at in linear time', () => {
  it.each([
    ['white space inside a string', () => normaliseInput(`a${' '.repeat(LENGTH)}b`)],
    ['digits with something behind', () => isNumeric(`${'1'.repeat(LENGTH)}x`)],
    ['a fraction with something behind', () => isNumeric(`1.${'1'.repeat(LENGTH)}x`)],
    ['escaped quotes without an end', () => decodePhpJson(Buffer.from(`"${'\\"'.repeat(LENGTH / 2)}`))],
    ['many escapes', () => decodePhpJson(Buffer.from(`"${'\\u0041'.repeat(LENGTH / 6)}"`))],
    ['an integer of many digits', () => decodePhpJson(Buffer.from('9'.repeat(LENGTH)))],
  ])('%s', (_name, look) => {
    expect(() => runInNewContext('look()', { look }, { timeout: TIMEOUT_MS })).not.toThrow();
  });
});
