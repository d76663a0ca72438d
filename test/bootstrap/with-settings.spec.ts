import { parseEnvironmentFile, settingsProblem } from '../../scripts/with-settings.mjs';

describe("a systemd unit's settings file", () => {
  it.each<[string, Buffer, string | null]>([
    ['plain text', Buffer.from('A=ä\r\n# 配置\nB=1'), null],
    ['a byte-order mark', Buffer.from('\ufeffBILLING_VARIANT=B\n'), 'byte-order mark'],
    ['a mark further down', Buffer.from('A=1\n\ufeffBILLING_VARIANT=B\n'), 'byte-order mark'],
    ['UTF-16', Buffer.from('\ufeffBILLING_VARIANT=B\n', 'utf16le'), 'not text in UTF-8'],
    ['a full-width equals sign', Buffer.from('A=1\nBILLING_VARIANT\uff1dB\n'), 'line 2 is neither'],
    ['a colon', Buffer.from('A=1\nBILLING_VARIANT: B'), 'line 2 is neither'],
    ["a shell's export", Buffer.from('A=1\nexport BILLING_VARIANT=B\n'), 'line 2 has a name that no setting has'],
    ['a blank that is none', Buffer.from('\u00a0BILLING_VARIANT=B\n'), 'line 1 has a name that no setting has'],
    ['Latin-1', Buffer.from('A=1\r\nSITE_NAME=Caf\xe9\r\n', 'latin1'), 'line 2 is not text in UTF-8'],
    ['GBK', Buffer.from('SITE_NAME=\xc4\xdc\xc1\xbf\n', 'latin1'), 'line 1 is not text in UTF-8'],
    ['a comment in GBK', Buffer.from('# \xc4\xdc\xc1\xbf\nA=1\n', 'latin1'), null],
    ['two values of a name', Buffer.from('A=1\nB=2\nA=3\n'), 'line 3 gives A a second value'],
    ['the same value twice', Buffer.from('A=1\nB=2\nA="1"\n'), null],
    ['a quote that stays open', Buffer.from(`A="x\nBILLING_VARIANT=B\nC="y"\n`), 'line 1 has a quote'],
    ['a quote that never closes', Buffer.from(`A=1\n\nB='x\n`), 'line 3 has a quote that does not close'],
    ['a key of several lines', Buffer.from('A="-----BEGIN\nQ2c=\nQ2c9==\n-----END"\nB=a\\\nc\n'), null],
    ['a comment that goes on', Buffer.from('# C:\\keys\\\nBILLING_VARIANT=B\n'), 'line 1 ends in \\'],
    ['UTF-16 without a mark', Buffer.from('BILLING_VARIANT=B\n', 'utf16le'), 'not text in UTF-8'],
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
