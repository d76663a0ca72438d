import fc from 'fast-check';
import { isWellFormedToken, mintToken, prefixOf } from '../../../src/auth/tokens/token-format';

describe('an API token', () => {
  const token = mintToken();

  it('that is mistyped anywhere is recognised without the database', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: token.length - 1 }),
        fc.constantFrom(...'A B C x y z 0 1 9 - _'.split(' ')),
        (position, letter) =>
          token[position] === letter ||
          !isWellFormedToken(token.slice(0, position) + letter + token.slice(position + 1)),
      ),
    );
  });

  it.each([
    '',
    'eds_',
    token.slice(1),
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    `${token}\n`,
    'é'.repeat(53),
  ])('is not %j', (text) => {
    expect(isWellFormedToken(text)).toBe(false);
  });

  it('begins with its prefix, which leaves 208 bits secret', () => {
    expect(token).toMatch(/^eds_[A-Za-z0-9_-]{49}$/);
    expect(prefixOf(token)).toBe(token.slice(0, 12));
    expect(isWellFormedToken(token)).toBe(true);
    expect(mintToken()).not.toBe(token);
  });
});
