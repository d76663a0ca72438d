import { integerField, messageField } from '../../../src/chain/proof/protobuf';
import { readStakeMove } from '../../../src/chain/proof/stake-move';
import { ownerIn } from '../../../src/chain/proof/transaction-owner';

const OWNER = `41${'ab'.repeat(20)}`;
const RECEIVER = `41${'cd'.repeat(20)}`;
const DELEGATION = 57;
const UNDELEGATION = 58;
const TRANSFER = 1;

function rawOf(type: number, more: readonly Buffer[] = []): Buffer {
  const [owner, receiver] = [OWNER, RECEIVER].map((hex) => Buffer.from(hex, 'hex'));
  const moved = [
    messageField(1, owner!),
    integerField(2, 1)!,
    integerField(3, 5_000_000n)!,
    messageField(4, receiver!),
    ...more,
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
      lockMs: 0,
    });
    expect(readStakeMove(rawOf(TRANSFER))).toBeNull();
  });

  it.each([
    ['that is not locked', [integerField(6, 100)!], 0],
    ['that is locked for so many slots', [integerField(5, 1)!, integerField(6, 100)!], 300_000],
    ['that is locked for three days, where no period is given', [integerField(5, 1)!], 259_200_000],
  ])('is lent %s', (_, lock, lockMs) => {
    expect(readStakeMove(rawOf(DELEGATION, lock))).toMatchObject({ isLent: true, lockMs });
  });

  it('is nothing where the bytes hold two contracts, which have no owner either: the network takes no such transaction', () => {
    for (const types of [
      [TRANSFER, UNDELEGATION],
      [UNDELEGATION, TRANSFER],
      [UNDELEGATION, UNDELEGATION],
    ]) {
      const raw = Buffer.concat(types.map((type) => rawOf(type)));
      expect([readStakeMove(raw), ownerIn(raw)]).toEqual([null, '']);
    }
  });
});
