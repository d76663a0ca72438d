import { parseExact } from '../../../../src/chain/tron/node/exact-json';

/** Longer than what is parsed at once, many times over. */
const LONG = 1_500_000;

/** Draws always the same. */
function draws(): (most: number) => number {
  let state = 7;
  return (most) => (state = (state * 48_271) % 2_147_483_647) % most;
}

const TEXTS = [
  '',
  'a',
  '"',
  '\\',
  '\\"',
  '\\\\"',
  '[{',
  ']}',
  ',:',
  'é',
  '能量',
  '\u{1F50B}',
  '\u0000',
  'x'.repeat(3_000),
];

function some(draw: (most: number) => number, depth: number): unknown {
  const kind = draw(depth > 0 ? 7 : 5);
  if (kind < 2) return TEXTS[draw(TEXTS.length)];
  if (kind === 2) return draw(1_000_000) - 500_000;
  if (kind === 3) return [null, true, false, 0.5, -1e300][draw(5)];
  if (kind === 4) return draw(2) === 0 ? [] : {};
  const entries = Array.from({ length: draw(6) }, () => some(draw, depth - 1));
  return kind === 5 ? entries : Object.fromEntries(entries.map((value) => [`${TEXTS[draw(13)]}${draw(9)}`, value]));
}

const draw = draws();
function longList(): unknown[] {
  const list: unknown[] = [];
  for (let length = 0; length < LONG;) {
    list.push(some(draw, 5));
    length += JSON.stringify(list.at(-1)).length;
  }
  return list;
}

const parsed = (text: string, hasLongNumber = false) => parseExact(Buffer.from(text), hasLongNumber);
const plain = (value: unknown) => JSON.stringify(value);

describe('an answer that is parsed in pieces', () => {
  // Functions, for the values would be shown in the tests' names.
  it.each<[string, () => unknown, number]>([
    ['a list', longList, 0],
    ['a list with blanks', longList, 3],
    ['an object', () => Object.fromEntries(longList().map((value, at) => [`a"${at}\\`, value])), 0],
    ['a long list in a list', () => [1, { block: [{ transactions: longList(), blockID: 'ab' }, {}] }, 2], 0],
    ['two long ones beside short ones', () => ({ a: 1, b: longList(), c: 'x', d: longList(), e: [] }), 1],
    ['one long text', () => 'x"'.repeat(LONG), 0],
    ['long texts', () => ({ first: 'x'.repeat(LONG), second: ['\\'.repeat(LONG), 'y'.repeat(LONG)] }), 0],
    ['many members', () => Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at])), 0],
  ])('is the same as one that is parsed at once: %s', async (_, make, indent) => {
    const value = make();
    const text = JSON.stringify(value, null, indent);
    const found = await parsed(`${' '.repeat(300)}${text}\n`);
    // What differs would fill the screen.
    expect(plain(found) === plain(value)).toBe(true);
  });

  it('keeps integers exact that a double does not hold', async () => {
    const list = `[${'"text 12345678901234567890",'.repeat(40_000)}9007199254740993,-9007199254740993,1.5,1e400]`;
    const found = (await parsed(list, true)) as unknown[];
    expect(found.slice(-4)).toEqual([9_007_199_254_740_993n, -9_007_199_254_740_993n, 1.5, Infinity]);
    expect(found[0]).toBe('text 12345678901234567890');
  });

  it('has no prototype that it names itself', async () => {
    const text = `{"__proto__":{"blockID":"ab"},"pad":"${'x'.repeat(LONG)}"}`;
    const found = (await parsed(text)) as Record<string, unknown>;
    expect(found['blockID']).toBeUndefined();
    expect(({} as Record<string, unknown>)['blockID']).toBeUndefined();
  });

  const filler = `"${'x'.repeat(150_000)}"`;
  const three = [filler, filler, filler].join(',');
  it.each([
    '[…,]',
    '[,…]',
    '[-,,-,-]',
    '[…',
    '[…}',
    '[…]]',
    '[…][1]',
    '[…],[…]',
    '[[…]',
    '[… 1]',
    '{"a":[…],}',
    '{"a":[…],"b"}',
    '{[…]:1}',
    '{1:[…]}',
    '{"a" "b":[…]}',
    '{…}',
    '{"a":[…]:2}',
    '[…,"]',
    '<html>…',
    ' ',
  ])('is refused when it is not JSON: %s', async (short) => {
    const text = short.replaceAll('…', three).replaceAll('-', filler).padEnd(LONG);
    expect(() => JSON.parse(text)).toThrow();
    await expect(parsed(text)).rejects.toThrow(SyntaxError);
  });

  it('lets others have their turns in between', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const text = JSON.stringify({
      block: [{ transactions: Array.from({ length: 400_000 }, (_, at) => ({ [`k${at}`]: 1 })) }],
    });
    await parsed(text);
    isOver = true;
    expect(turns).toBeGreaterThan(text.length / 300_000);
  });
});
