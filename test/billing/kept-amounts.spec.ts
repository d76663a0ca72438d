import { convert } from '../../src/common/convert';
import { energyOf } from '../../src/billing/energy-amount';
import { DelegateRequest } from '../../src/delegation/dto/delegate-request.dto';

/** What an order of this amount is kept as. */
function kept(amount: string | bigint | number): string {
  return convert(DelegateRequest, { receiver_address: 'T', amount }).transactions.toFixed();
}

describe('the amount of an order', () => {
  it.each([
    ['a decimal', '1.5', '1.5'],
    ['a double', 1.1, '1.1'],
    ['a whole number', 7n, '7'],
    ['zeros at the end', `1.${'0'.repeat(15_500)}`, '1'],
    ['zeros at both ends', `000123.4560${'0'.repeat(15_500)}`, '123.456'],
    ['forty digits', '1.234567890123456789012345678901234567891', '1.234567890123456789012345678901234567891'],
    ['one more', '1.2345678901234567890123456789012345678912', '1.234567890123456789012345678901234567892'],
    ['thousands', `1.${'0'.repeat(15_500)}1`, `1.${'0'.repeat(38)}1`],
    ['thousands of nines', `1.${'9'.repeat(15_500)}`, '2'],
    [
      'many before the point',
      `123456789012345678901.${'3'.repeat(15_500)}`,
      `123456789012345678901.${'3'.repeat(18)}4`,
    ],
    ['the most', '1e21', '1000000000000000000000'],
    ['more than the most', '1000000000000000000001', 'Infinity'],
    ['an exponent', '1e400', 'Infinity'],
  ])('is kept without trailing zeros, in 40 digits rounded up: %s', (_, amount, expected) => {
    expect(kept(amount)).toBe(expected);
  });

  it('takes no less energy for it, and no more than a unit', () => {
    for (let n = 1; n < 200; n++) {
      const exact = `${n}.${String(n * 7919)
        .padStart(6, '0')
        .repeat(50)}`;
      const [whole, rest] = [BigInt(exact.replace('.', '')) * 65_000n, 10n ** BigInt(exact.split('.')[1]!.length)];
      const least = (whole + rest - 1n) / rest;
      const energy = energyOf(convert(DelegateRequest, { receiver_address: 'T', amount: exact }).transactions)!;
      expect(energy === least || energy === least + 1n).toBe(true);
    }
  });
});
