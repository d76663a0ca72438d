import { NodeUnavailableError } from '../../../../src/chain/tron/node/node-errors';
import { readUnfreezing, unfreezeSlotsLeft } from '../../../../src/chain/tron/node/unfreezing';

const entry = (more: Record<string, unknown> = {}) => ({
  unfreeze_amount: 5_000_000,
  unfreeze_expire_time: 1_700_000_000_000,
  ...more,
});

describe('what getaccount shows of stake that is being unfrozen', () => {
  it('is read with its resource, of which the first is left out, and numbers as text too', () => {
    const account = { unfrozenV2: [entry(), entry({ type: 'ENERGY', unfreeze_amount: '7' })] };
    expect(readUnfreezing(account)).toEqual([
      { resource: 'BANDWIDTH', sun: 5_000_000n, availableMs: 1_700_000_000_000 },
      { resource: 'ENERGY', sun: 7n, availableMs: 1_700_000_000_000 },
    ]);
    expect(readUnfreezing({})).toEqual([]);
    expect(readUnfreezing({ unfrozenV2: [entry({ type: 'GOLD' })] })).toEqual([]);
  });

  it.each([
    ['far more entries than the network takes', Array.from({ length: 1_001 }, () => entry())],
    ['a time that no date has', [entry({ unfreeze_expire_time: '8640000000000001' })]],
    ['an amount below zero', [entry({ unfreeze_amount: -1 })]],
    [
      'amounts that are more than all TRX',
      [entry({ unfreeze_amount: '900000000000000000' }), entry({ unfreeze_amount: '900000000000000000' })],
    ],
    ['no list', 5],
  ])('is not believed with %s', (_, unfrozenV2) => {
    expect(() => readUnfreezing({ unfrozenV2 })).toThrow(NodeUnavailableError);
  });

  it('leaves slots for all that is not available yet', () => {
    const entries = [{ availableMs: 1_000 }, { availableMs: 2_000 }, { availableMs: 3_000 }];
    expect(unfreezeSlotsLeft(entries, 2_000)).toBe(31);
  });
});
