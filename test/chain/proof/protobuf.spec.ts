import { readBroadcastReply } from '../../../src/chain/tron/node/broadcast-outcome';
import { readCallResult } from '../../../src/chain/tron/node/constant-call';
import { NodeUnavailableError } from '../../../src/chain/tron/node/node-errors';
import { hashTransactions } from '../../../src/chain/proof/block-transactions';
import { bytesOf, integerField, messageField, readFields } from '../../../src/chain/proof/protobuf';

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

describe('an integer', () => {
  it.each([0n, 1n, 127n, 128n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n])(
    'is read to its last bit: %s',
    (value) => {
      const bytes = value === 0n ? Buffer.of(8, 0) : integerField(1, value)!;
      expect(readFields(bytes)).toEqual(new Map([[1, [value]]]));
      expect(readFields(bytes.subarray(0, -1))).toBeNull();
    },
  );

  it('has ten bytes at most, whatever they say', () => {
    const zero = (length: number) => Buffer.from([8, ...Array.from({ length: length - 1 }, () => 0x80), 0]);
    for (const length of [1, 7, 8, 10]) expect(readFields(zero(length))).toEqual(new Map([[1, [0n]]]));
    expect(readFields(zero(11))).toBeNull();
  });

  it('may be a length that no bytes follow', () => {
    for (const bytes of ['0a02ff', '0affffffffffffffffff01', '0a', '0b00', '0d00000000'])
      expect(readFields(Buffer.from(bytes, 'hex'))).toBeNull();
  });
});

describe('a field that comes often', () => {
  it('is read in time that grows with its number, not with the square of that', () => {
    const bytes = (count: number) => Buffer.concat(Array.from({ length: count }, () => messageField(1, Buffer.of(7))));
    const [few, many] = [bytes(20_000), bytes(400_000)];
    const lasting = (read: Buffer) => {
      const begun = performance.now();
      expect(readFields(read)!.get(1)!.length).toBe(read.length / 3);
      return performance.now() - begun;
    };
    // The least of some: a busy machine makes any one of them longer. With the square of the number it would be 400 times as long.
    const least = (read: Buffer) => Math.min(...Array.from({ length: 5 }, () => lasting(read)));
    expect(least(many)).toBeLessThan(150 * Math.max(1, least(few)));
  });
});
