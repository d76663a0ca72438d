import { takeableSun } from '../../../../src/chain/tron/node/delegated-stake';

describe('what can be taken back of a delegated stake', () => {
  const stake = { unlockedSun: 5n, lockedSun: 7n, lockedUntilMs: 1_000 };

  it('is what is locked too, once a block is later than the end of the lock and not merely as late', () => {
    expect([999, 1_000, 1_001].map((blockTimeMs) => takeableSun(stake, blockTimeMs))).toEqual([5n, 5n, 12n]);
  });
});
