import { checkNote, checkReference } from '../../src/balance/movement-values';

/** One character, two UTF-16 units. */
const WIDE = '𝕏';

describe('what a movement of money carries', () => {
  it('is a note of up to 500 and a reference of up to 200 characters, as people count them', () => {
    expect([checkNote(WIDE.repeat(500)), checkReference(WIDE.repeat(200))]).toEqual([
      WIDE.repeat(500),
      WIDE.repeat(200),
    ]);
    expect(() => checkNote(WIDE.repeat(501))).toThrow('500');
    expect(() => checkReference(WIDE.repeat(201))).toThrow('200');
  });

  it('is a reference without the blanks around it, and never an empty one', () => {
    expect(checkReference(' inv-9\r\n')).toBe('inv-9');
    expect(() => checkReference(' \n')).toThrow('must not be blank');
  });
});
