import { readBroadcastReply } from '../../../src/chain/node/broadcast-outcome';

const TX_ID = 'ab'.repeat(32);
const read = (value: unknown) => readBroadcastReply({ kind: 'json', value }, TX_ID);
const hex = (text: string) => Buffer.from(text).toString('hex');

describe('what a node says of a broadcast', () => {
  it.each([
    ['in hex', hex('a\0b')],
    ['as text', 'a\0b'],
    ['with lines and bells', 'a\n\u0007\u009bb'],
    ['with half a character', 'a\ud800b'],
  ])('can be stored as text and as JSON, %s', (_how, message) => {
    const outcome = read({ code: 'CONTRACT_VALIDATE_ERROR', message });
    expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringMatching(/^a[ �]*b$/) });
    expect(JSON.stringify(outcome)).not.toMatch(/\\u0000|\\ud8/);
  });

  it('is at most 300 characters long, whichever part of it is longer', () => {
    const long = 'x'.repeat(10_000);
    for (const answer of [{ code: long }, { code: 'SIGERROR', message: long }, { Error: long }, { txid: long }]) {
      const outcome = read(answer) as { code: string; message: string };
      expect(Math.max(outcome.code.length, outcome.message.length)).toBeLessThanOrEqual(300);
    }
    expect(read({ code: 'SIGERROR', message: `${'x'.repeat(299)}😀` })).toMatchObject({
      message: `${'x'.repeat(299)}�`,
    });
  });

  it('is no refusal when the code is a word that every object knows', () => {
    for (const code of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(read({ code })).toMatchObject({ kind: 'unknown', code });
    }
  });
});
