import {
  parseAddress,
  parseAmountSun,
  parseId,
  parseName,
  parsePositiveInteger,
  parsePriceSun,
  parseTransactions,
  parseTrxSun,
} from '../../src/cli/option-parsers';
import { InvalidValueError } from '../../src/common/errors/domain.error';
import { UsageError } from '../../src/cli/usage.error';

describe('values on the command line', () => {
  it('are read exactly', () => {
    expect(parseAmountSun('100')).toBe(100_000_000n);
    expect(parseAmountSun('0.000001')).toBe(1n);
    expect(parsePriceSun('2.25')).toBe(2_250_000n);
    expect(parseTransactions('1.5').toFixed()).toBe('1.5');
    expect(parsePositiveInteger('--days', '30', 100)).toBe(30);
    expect(parseId('01890A5D-AC96-774B-BCCE-B302099A8057')).toBe('01890a5d-ac96-774b-bcce-b302099a8057');
  });

  it.each(['0', '0.0000001', '-1', '1e3', '', 'x', ' 1', '1,5'])('refuse the amount %j as wrong usage', (text) => {
    expect(() => parseAmountSun(text)).toThrow(UsageError);
  });

  it.each(['1000000000000', '99999999999999999999.5', '1e15', '1E+12'])(
    'say of the amount %j that it is too large',
    (text) => {
      for (const parse of [parseAmountSun, (given: string) => parseTrxSun('--max-cost', given)])
        expect(() => parse(text)).toThrow(/must be less than 1,000,000,000,000, not/);
      const transactions = text.replace(/12$/, '15').replace(/^1000/, '1000000');
      expect(() => parseTransactions(transactions)).toThrow(/must be less than 140,000,000,000,000, not/);
      expect(parseAmountSun('999999999999.999999')).toBe(999_999_999_999_999_999n);
    },
  );

  it.each(['0', '-1', '1e3', '', 'NaN', '1.'])('refuse %j transactions as wrong usage', (text) => {
    expect(() => parseTransactions(text)).toThrow(UsageError);
  });

  it.each(['0', '-1', '1.5', '101', '', '99999999999999999999'])('refuse the number %j as wrong usage', (text) => {
    expect(() => parsePositiveInteger('--days', text, 100)).toThrow('--days must be a whole number from 1 to 100');
  });

  it('refuse what is neither a price nor an id', () => {
    for (const text of ['free', '1.99', '2.500001']) expect(() => parsePriceSun(text)).toThrow(UsageError);
    expect(() => parseTransactions('1.00001')).toThrow(UsageError);
    expect(() => parseAddress('--address', 'T')).toThrow(UsageError);
    expect(() => parseName('--name', ' ')).toThrow(UsageError);
    expect(() => parseName('--name', '𝕏'.repeat(101))).toThrow(UsageError);
    expect(parseName('--name', '𝕏'.repeat(100))).toHaveLength(200);
    for (const unseen of ['po\u200bol', 'po\u202eol', 'po\nol', 'po\u0085ol'])
      expect(() => parseName('--name', unseen)).toThrow(InvalidValueError);
    expect(parseName('--name', ' e\u0301te\u0301 ')).toBe('\u00e9t\u00e9');
    expect(() => parseId('17')).toThrow(UsageError);
  });
});
