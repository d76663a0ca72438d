import { createHash } from 'node:crypto';
import { hashTransactions } from '../../../src/chain/proof/block-transactions';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
/** What stands before the signed bytes of a transaction of 64 bytes: their field, and that they are 62. */
const HEAD_OF_64_BYTES = Buffer.from('0a3e', 'hex');

const transaction = (raw: Buffer) => ({ raw_data_hex: raw.toString('hex') });
const leafOf = (raw: Buffer) => sha256(Buffer.concat([Buffer.from([0x0a, raw.length]), raw]));

describe('the transactions of a block', () => {
  it('are not hidden behind one of 64 bytes that is the hashes of two', () => {
    const second = Buffer.from('the delegation');
    const first = Buffer.alloc(8);
    // Every 65,536th pair begins as a transaction does: whoever can order one may look for it.
    while (!leafOf(first).subarray(0, 2).equals(HEAD_OF_64_BYTES)) {
      first.writeBigUInt64BE(first.readBigUInt64BE() + 1n);
    }
    const pair = Buffer.concat([leafOf(first), leafOf(second)]);
    const both = hashTransactions([transaction(first), transaction(second)]);
    expect(both?.root).toBe(sha256(pair).toString('hex'));
    const inTheirPlace = pair.subarray(HEAD_OF_64_BYTES.length);
    expect(leafOf(inTheirPlace)).toEqual(sha256(pair));
    expect(hashTransactions([transaction(inTheirPlace)])).toBeNull();
    for (const length of [61, 63]) expect(hashTransactions([transaction(Buffer.alloc(length))])).not.toBeNull();
  });
});

describe('more transactions than a block can have', () => {
  it('are not hashed, which would take seconds', () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ raw_data_hex: 'ab' }));
    expect(hashTransactions(many(16_000))).not.toBeNull();
    expect(hashTransactions(many(16_001))).toBeNull();
  });
});
