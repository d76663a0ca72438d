import { csvText } from '../../src/common/csv';

describe('free text in a CSV file', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    ' =1+1',
    '\u3000＝1',
    '\t=1',
    '\r=1',
    '\n=1',
  ])('never begins a formula: %j', (text) => expect(csvText(text)).toBe(`"'${text}"`));

  it.each(['plain', '1+1', 'a=b', '中文＝', '“'])('is as it was where it could be none: %j', (text) =>
    expect(csvText(text)).toBe(`"${text}"`),
  );
});
