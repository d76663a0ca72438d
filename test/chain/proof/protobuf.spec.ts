import { readBroadcastReply } from '../../../src/chain/tron/node/broadcast-outcome';
import { readCallResult } from '../../../src/chain/tron/node/constant-call';
import { NodeUnavailableError } from '../../../src/chain/tron/node/node-errors';
import { hashTransactions } from '../../../src/chain/proof/block-transactions';
import { bytesOf, messageField, readFields } from '../../../src/chain/proof/protobuf';

/** Patterns over groups of characters overflow the stack from 8 MB on. */
const MANY = 12_000_000;

describe('bytes in hex', () => {
  it('are read however many there are', () => {
    const hex = 'aB'.repeat(MANY / 2);
    expect(bytesOf(hex)!.length).toBe(MANY / 2);
    expect(bytesOf(`${hex}a`)).toBeNull();
    expect(bytesOf(`${hex}ag`)).toBeNull();
    expect(
      hashTransactions([{ raw_data_hex: hex, signature: [hex], ret: [{ contractRet: 'SUCCESS' }] }]),
    ).not.toBeNull();
  });

  it.each<[unknown, string | null]>([
    ['', ''],
    ['0aFF', '0aff'],
    ['0', null],
    ['0g', null],
    ['0a ', null],
    [' 0a', null],
    ['0x0a', null],
    ['０a', null],
    [1, null],
    [null, null],
  ])('are %j: %j', (value, bytes) => {
    expect(bytesOf(value)?.toString('hex') ?? null).toBe(bytes);
  });

  it('may be the message of a refusal', () => {
    const message = '61'.repeat(MANY / 2);
    const reply = { kind: 'json', value: { code: 'SIGERROR', message } } as const;
    expect(readBroadcastReply(reply, 'ab')).toMatchObject({ kind: 'refused', message: 'a'.repeat(300) });
    expect(() => readCallResult({ result: { code: 'OTHER_ERROR', message } })).toThrow(NodeUnavailableError);
  });
});

describe('a field that comes often', () => {
  it('is read in time that grows with its number, not with the square of that', () => {
    const bytes = (count: number) => Buffer.concat(Array.from({ length: count }, () => messageField(1, Buffer.of(7))));
    const [few, many] = [bytes(10_000), bytes(100_000)];
    const lasting = (read: Buffer) => {
      const begun = performance.now();
      expect(readFields(read)!.get(1)!.length).toBe(read.length / 3);
      return performance.now() - begun;
    };
    // The least of some: a busy machine makes any one of them longer.
    const least = (read: Buffer) => Math.min(...Array.from({ length: 5 }, () => lasting(read)));
    expect(least(many)).toBeLessThan(40 * Math.max(1, least(few)));
  });
});
