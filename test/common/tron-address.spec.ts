import { isTronAddress } from '../../config/tron-address';

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

describe('isTronAddress', () => {
  it.each([
    ['one letter changed', USDT.replace('q8Z', 'q9Z')],
    ['two letters swapped', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLjt6'],
    ['another case', USDT.toLowerCase()],
    ['a letter outside base58', USDT.replace('7', '0')],
    ['one letter short', USDT.slice(0, -1)],
    ['one letter long', `${USDT}1`],
    ['a Bitcoin address of 34 letters', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['an address with 34 times the highest digit', 'z'.repeat(34)],
    ['34 ones', '1'.repeat(34)],
    ['34 astral code points', '😀'.repeat(17)],
    ['nothing', ''],
  ])('refuses %s', (_name, text) => {
    expect(isTronAddress(text)).toBe(false);
  });

  it.each([USDT, 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'])('takes %s', (text) => {
    expect(isTronAddress(text)).toBe(true);
  });
});
