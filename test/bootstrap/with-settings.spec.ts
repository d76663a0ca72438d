import { parseEnvironmentFile, settingsProblem } from '../../scripts/with-settings.mjs';

describe("a systemd unit's settings file", () => {
  it.each<[string, Buffer, string | null]>([
    ['plain text', Buffer.from('A=ä\r\n# 配置\nB=1'), null],
    ['a byte-order mark', Buffer.from('\ufeffBILLING_VARIANT=B\n'), 'byte-order mark'],
    ['a mark further down', Buffer.from('A=1\n\ufeffBILLING_VARIANT=B\n'), 'byte-order mark'],
    ['UTF-16', Buffer.from('\ufeffBILLING_VARIANT=B\n', 'utf16le'), 'no text in UTF-8'],
    ['UTF-16 without a mark', Buffer.from('BILLING_VARIANT=B\n', 'utf16le'), 'no text in UTF-8'],
  ])('with %s is refused where systemd would lose a line of it', (_, bytes, problem) => {
    if (problem === null) expect(settingsProblem(bytes)).toBeNull();
    else expect(settingsProblem(bytes)).toContain(problem);
  });

  // Each with what systemd 252 itself gave to a unit with this EnvironmentFile.
  it.each([
    ['PLAIN=postgresql://u:p$ss&w=x@h/db?a=1&b=2', { PLAIN: 'postgresql://u:p$ss&w=x@h/db?a=1&b=2' }],
    ['INLINE=http://node:8090     # or else', { INLINE: 'http://node:8090     # or else' }],
    ['HASH=a#b', { HASH: 'a#b' }],
    ['  SPACED  =  a b  c   ', { SPACED: 'a b  c' }],
    [`SINGLE='single $x "dq" \\n'`, { SINGLE: 'single $x "dq" \\n' }],
    ['DOUBLE="double \\$x \\"dq\\" \\n \'q\' `"', { DOUBLE: 'double $x "dq" \\n \'q\' `' }],
    [`MIXED="a b"c 'd'`, { MIXED: "a bc 'd'" }],
    [`TAIL=a"b"'c'`, { TAIL: `a"b"'c'` }],
    ['ESCAPED=a\\ b\\nc\\\njoined', { ESCAPED: 'a bncjoined' }],
    ['BLANK=x\\  ', { BLANK: 'x ' }],
    ['QUOTED="x "  y  ', { QUOTED: 'x y' }],
    ['LINES="one\ntwo"', { LINES: 'one\ntwo' }],
    ['JOINED="a\\\nb"', { JOINED: 'ab' }],
    ["OPEN='open\n", { OPEN: 'open\n' }],
    ['EMPTY=', { EMPTY: '' }],
    ['ONE=one\r\nTWO=two\r\n', { ONE: 'one', TWO: 'two' }],
    ['# A=1\n; B=2\n  # C=3\nnothing here\n\nD=4', { D: '4' }],
    ['1BAD=x\nexport ALSO=1\nGOOD=1', { GOOD: '1' }],
    ['A=1\nA=2', { A: '2' }],
  ])('%j is read as systemd reads it', (text, settings) => {
    expect(parseEnvironmentFile(text)).toEqual(settings);
    expect(parseEnvironmentFile(`${text}\nNEXT=n`)).toEqual(
      text.startsWith('OPEN') ? { OPEN: 'open\n\nNEXT=n' } : { ...settings, NEXT: 'n' },
    );
  });
});
