import { amountIn, recordIn, recordsIn } from '../../../../src/chain/tron/node/answer.reader';
import { NodeUnavailableError } from '../../../../src/chain/tron/node/node-errors';

describe('an amount in an answer of a node', () => {
  it('is zero when it was left out, and exact as a number, a bigint or digits', () => {
    expect(amountIn({}, 'sun')).toBe(0n);
    expect(amountIn({ sun: 0 }, 'sun')).toBe(0n);
    expect(amountIn({ sun: 6_861_111_113 }, 'sun')).toBe(6_861_111_113n);
    expect(amountIn({ sun: 9_007_199_254_740_993n }, 'sun')).toBe(9_007_199_254_740_993n);
    expect(amountIn({ sun: '9007199254740993' }, 'sun')).toBe(9_007_199_254_740_993n);
  });

  it.each([
    -1,
    1.5,
    Number.NaN,
    1e21,
    2n ** 63n,
    '',
    '-1',
    '1.0',
    '0x10',
    ' 1',
    '99999999999999999999',
    null,
    true,
    [],
    {},
  ])('is not an answer at all as %p', (value) => {
    expect(() => amountIn({ sun: value }, 'sun')).toThrow(NodeUnavailableError);
  });
});

describe('a part of an answer of a node', () => {
  it('is empty when it was left out', () => {
    expect([recordIn({}, 'part'), recordsIn({}, 'part')]).toEqual([{}, []]);
  });

  it.each(['text', 5, null, true, [1], [null]])('is not an answer at all as %p', (value) => {
    expect(() => recordIn({ part: value }, 'part')).toThrow(NodeUnavailableError);
    expect(() => recordsIn({ part: value }, 'part')).toThrow(NodeUnavailableError);
  });
});
