import { integerField, messageField } from '../../../src/chain/proof/protobuf';
import { readStakeMove } from '../../../src/chain/proof/stake-move';
import { ownerIn } from '../../../src/chain/proof/transaction-owner';

const OWNER = `41${'ab'.repeat(20)}`;
const RECEIVER = `41${'cd'.repeat(20)}`;
const UNDELEGATION = 58;
const TRANSFER = 1;

function rawOf(type: number): Buffer {
  const [owner, receiver] = [OWNER, RECEIVER].map((hex) => Buffer.from(hex, 'hex'));
  const moved = [
    messageField(1, owner!),
    integerField(2, 1)!,
    integerField(3, 5_000_000n)!,
    messageField(4, receiver!),
  ];
  const any = messageField(2, Buffer.concat(moved));
  return messageField(11, Buffer.concat([integerField(1, type)!, messageField(2, any)]));
}

describe('the stake that a transaction moves', () => {
  it('is what its one contract says', () => {
    expect(readStakeMove(rawOf(UNDELEGATION))).toEqual({
      owner: OWNER,
      receiver: RECEIVER,
      isLent: false,
      sun: 5_000_000n,
    });
    expect(readStakeMove(rawOf(TRANSFER))).toBeNull();
  });

  it('is nothing where the bytes hold two contracts, whose owner is nobody either: the network takes no such transaction', () => {
    for (const types of [
      [TRANSFER, UNDELEGATION],
      [UNDELEGATION, TRANSFER],
      [UNDELEGATION, UNDELEGATION],
    ]) {
      const raw = Buffer.concat(types.map(rawOf));
      expect([readStakeMove(raw), ownerIn(raw)]).toEqual([null, '']);
    }
  });
});
