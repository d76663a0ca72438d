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
    // Every 65,536th pair begins as a transaction does: a customer who can order one may look for it.
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

describe('the result of a transaction', () => {
  const leaf = (ret: unknown) => hashTransactions([{ raw_data_hex: 'ab', ret: [ret] }]);
  const rootOf = (bytes: string) =>
    sha256(Buffer.from(`0a01ab2a${(bytes.length / 2).toString(16).padStart(2, '0')}${bytes}`, 'hex')).toString('hex');

  it.each<[string, object, string]>([
    ['fee', { fee: 5 }, '0805'],
    ['ret', { ret: 'FAILED' }, '1001'],
    ['contractRet', { contractRet: 'SUCCESS' }, '1801'],
    ['assetIssueID', { assetIssueID: '1000001' }, '720731303030303031'],
    ['withdraw_amount', { withdraw_amount: 300n }, '78ac02'],
    ['unfreeze_amount', { unfreeze_amount: 1 }, '800101'],
    ['exchange_received_amount', { exchange_received_amount: 1 }, '900101'],
    ['exchange_inject_another_amount', { exchange_inject_another_amount: 1 }, '980101'],
    ['exchange_withdraw_another_amount', { exchange_withdraw_another_amount: 1 }, 'a00101'],
    ['exchange_id', { exchange_id: 1 }, 'a80101'],
    ['shielded_transaction_fee', { shielded_transaction_fee: 1 }, 'b00101'],
    ['orderId', { orderId: 'cd' }, 'ca0101cd'],
    [
      'orderDetails',
      { orderDetails: [{ makerOrderId: '01', takerOrderId: '02', fillSellQuantity: 3, fillBuyQuantity: 4 }, {}] },
      'd2010a0a010112010218032004d20100',
    ],
    ['withdraw_expire_amount', { withdraw_expire_amount: 1 }, 'd80101'],
    // An entry of a map has both its fields, zero or not.
    [
      'cancel_unfreezeV2_amount',
      {
        cancel_unfreezeV2_amount: [
          { key: 'ENERGY', value: 1 },
          { key: 'BANDWIDTH', value: 0 },
        ],
      },
      'e2010a0a06454e455247591001e2010d0a0942414e4457494454481000',
    ],
    [
      'all in the order of their numbers',
      { withdraw_expire_amount: 1, contractRet: 'SUCCESS', fee: 5 },
      '08051801d80101',
    ],
  ])('is encoded with its %s', (_, ret, bytes) => {
    expect(leaf(ret)?.root).toBe(rootOf(bytes));
  });

  it.each<[string, unknown]>([
    ['an unknown field', { more: 1 }],
    ['an unknown result', { contractRet: 'LUCK' }],
    ['a number as text', { fee: '5' }],
    ['a list in the place of text', { assetIssueID: [] }],
    ['no list of details', { orderDetails: {} }],
    ['a map as nodes do not list it', { cancel_unfreezeV2_amount: { ENERGY: 1 } }],
    ['nothing', null],
  ])('is not encoded with %s', (_, ret) => {
    expect(leaf(ret)).toBeNull();
  });
});
