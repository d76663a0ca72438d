import { decodePhpJson } from '../../../src/common/http/php-json';

const decode = (text: string) => decodePhpJson(Buffer.from(text));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('decodePhpJson', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a byte order mark', '\ufeff{}'],
    ['trailing garbage', '{} x'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['a literal in another case', '{"a":True}'],
    ['a leading zero', '{"a":01}'],
    ['a leading plus', '{"a":+1}'],
    ['a bare fraction', '{"a":.5}'],
    ['NaN', '{"a":NaN}'],
    ['a raw control character', '{"a":"\u0001"}'],
    ['a no-break space between tokens', '{\u00a0"a":1}'],
    ['half a surrogate pair', '{"a":"\\ud83d"}'],
    ['the other half', '{"a":"\\ude00"}'],
    ['halves in the wrong order', '{"a":"\\ude00\\ud83d"}'],
    ['half a pair in a key', '{"\\ud83d":1}'],
    ['half a pair in a value that a later key replaces', '{"a":"\\ud83d","a":1}'],
    ['512 levels', nested(512)],
    ['512 levels of objects', `${'{"a":'.repeat(511)}{}${'}'.repeat(511)}`],
    ['more than 512 levels', nested(513)],
    ['levels without an end', '['.repeat(8000)],
  ])('refuses %s', (_name, text) => {
    expect(decode(text)).toBeUndefined();
  });

  it.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0x80, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s as no UTF-8', (_name, bytes) => {
    expect(decodePhpJson(Uint8Array.from(bytes))).toBeUndefined();
  });

  it('takes 511 levels, which is as deep as PHP reads', () => {
    expect(decode(nested(511))).toBeDefined();
    expect(decode(`${'['.repeat(511)}1${']'.repeat(511)}`)).toBeDefined();
  });

  it('does not count brackets in strings as levels', () => {
    expect(decode(JSON.stringify({ a: '\\"' + '['.repeat(600) }))).toBeDefined();
  });

  it.each<[string, bigint | number]>([
    ['1', 1n],
    ['-0', 0n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 9223372036854775808],
    ['1.0', 1],
    ['-0.0', -0],
    ['1e0', 1],
    ['1e400', Infinity],
    ['9'.repeat(400), Infinity],
  ])('reads %s as the int or float that PHP reads', (source, value) => {
    expect(decode(source)).toBe(value);
  });

  it('keeps a complete pair, and an escaped NUL', () => {
    expect(decode('"\\ud83d\\ude00\\u0000"')).toBe('😀\0');
  });

  it('makes __proto__ a key like any other', () => {
    const value = decode('{"__proto__":{"amount":5}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('amount' in value).toBe(false);
  });
});
