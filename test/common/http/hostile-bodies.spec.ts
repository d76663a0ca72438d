import { decodePhpJson } from '../../../src/common/http/php-json';
import { isNumeric, normaliseInput } from '../../../src/common/validation/php-values';

const LENGTH = 16 * 1024;

/** A second is what a quadratic look at 16 KiB takes many times over, and a linear one never. */
describe('16 KiB made to be slow are looked at in linear time', () => {
  it.each([
    ['white space inside a string', () => normaliseInput(`a${' '.repeat(LENGTH)}b`)],
    ['digits with something behind', () => isNumeric(`${'1'.repeat(LENGTH)}x`)],
    ['a fraction with something behind', () => isNumeric(`1.${'1'.repeat(LENGTH)}x`)],
    ['escaped quotes without an end', () => decodePhpJson(Buffer.from(`"${'\\"'.repeat(LENGTH / 2)}`))],
    ['many escapes', () => decodePhpJson(Buffer.from(`"${'\\u0041'.repeat(LENGTH / 6)}"`))],
    ['an integer of many digits', () => decodePhpJson(Buffer.from('9'.repeat(LENGTH)))],
  ])('%s', (_name, look) => {
    const startedAt = performance.now();
    for (let i = 0; i < 20; i++) look();
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
