import type { AccountView } from '../../src/chain/tron/node/account-view';
import type { TimedView } from '../../src/chain/pool/wallets/wallet-view.repository';
import type { TransactionKind } from '../../src/chain/transactions/kinds/transaction-kind';
import { ACTIVATION, DELEGATION } from '../../src/delegation/transaction-kinds';
import type { OwnMove } from '../../src/reconciliation/uses/own-moves';
import { notChangedBy, unexplained } from '../../src/reconciliation/uses/view-difference';

const VIEW: AccountView = {
  balanceSun: 100_000_000n,
  energySun: 1_000n,
  bandwidthSun: 50n,
  votesSun: 7n,
  lentEnergySun: 300n,
  lentBandwidthSun: 20n,
  permissions: 'aa',
  operatedMs: 1_000,
};
const EARLIER: TimedView = { view: VIEW, block: 10, until: 11, at: new Date(0) };
const later = (change: Partial<AccountView>): TimedView => ({
  view: { ...VIEW, ...change },
  block: 20,
  until: 21,
  at: new Date(0),
});
const fields = (change: Partial<AccountView>, moves: readonly OwnMove[] = []) =>
  unexplained(EARLIER, later(change), moves).map(({ field }) => field);
const move = (kind: TransactionKind, sun: bigint, block: number | null = 15, timeMs: number | null = 9_000) => ({
  lentSun: 0n,
  paidSun: 0n,
  ...kind.effect!(sun),
  block,
  timeMs,
});

describe('what a reading shows that our own transactions do not explain', () => {
  it('is nothing while nothing has changed, or somebody has sent TRX', () => {
    expect(fields({})).toEqual([]);
    expect(fields({ balanceSun: VIEW.balanceSun + 1n })).toEqual([]);
  });

  it.each([
    [{ balanceSun: VIEW.balanceSun - 1n }, 'balance'],
    [{ energySun: 999n }, 'energy_stake'],
    [{ bandwidthSun: 51n }, 'bandwidth_stake'],
    [{ votesSun: 0n }, 'vote_stake'],
    [{ permissions: 'bb' }, 'permissions'],
    [{ operatedMs: 1_001 }, 'last_operation'],
  ] as const)('%p', (change, field) => {
    expect(fields(change)).toEqual([field]);
  });

  it('is stake that is lent, of either resource, by a single sun', () => {
    expect(fields({ energySun: 999n, lentEnergySun: 301n })).toEqual(['lent_energy']);
    expect(fields({ energySun: 1_001n, lentEnergySun: 299n })).toEqual(['lent_energy']);
    expect(fields({ bandwidthSun: 49n, lentBandwidthSun: 21n })).toEqual(['lent_bandwidth']);
  });

  it('is what is left once ours are counted: stake to the sun, and no more TRX than they can have burned', () => {
    const lent = { energySun: 800n, lentEnergySun: 500n, operatedMs: 8_000 };
    expect(fields(lent, [move(DELEGATION, 200n)])).toEqual([]);
    expect(fields(lent, [move(DELEGATION, 199n)])).toEqual(['lent_energy']);
    expect(fields({ ...lent, balanceSun: VIEW.balanceSun - 300_000n }, [move(DELEGATION, 200n)])).toEqual([]);
    expect(fields({ ...lent, balanceSun: VIEW.balanceSun - 300_001n }, [move(DELEGATION, 200n)])).toEqual(['balance']);
    const activated = { operatedMs: 8_000, balanceSun: VIEW.balanceSun - 2_400_000n };
    expect(fields(activated, [move(ACTIVATION, 1_000_000n)])).toEqual([]);
  });

  it('is an operation after the last one of ours, and none before it', () => {
    expect(fields({ operatedMs: 9_000 }, [move(ACTIVATION, 1n)])).toEqual([]);
    expect(fields({ operatedMs: 9_001 }, [move(ACTIVATION, 1n)])).toEqual(['last_operation']);
    // When its block came is not known.
    expect(fields({ operatedMs: 9_001 }, [move(ACTIVATION, 1n, 15, null)])).toEqual([]);
  });

  it('is nothing that may be of a block before the first reading or after the second, and is asked of neither', () => {
    for (const block of [11, 21, null]) {
      const moves = [move(DELEGATION, 200n, block)];
      expect(fields({ energySun: 800n, lentEnergySun: 500n }, moves)).toEqual([]);
      expect(fields({}, moves)).toEqual([]);
    }
    expect(fields({}, [move(DELEGATION, 200n, 12)])).toEqual(['lent_energy']);
  });

  it('is what the acts that were found cannot have changed', () => {
    const changed = unexplained(EARLIER, later({ balanceSun: 0n, bandwidthSun: 1n, permissions: 'bb' }), []);
    const left = (...kinds: Parameters<typeof notChangedBy>[1]) =>
      notChangedBy(changed, kinds).map(({ field }) => field);
    expect(left()).toEqual(['balance', 'bandwidth_stake', 'permissions']);
    expect(left('transfer')).toEqual(['bandwidth_stake', 'permissions']);
    expect(left('transfer', 'unfreezing')).toEqual(['permissions']);
    expect(left('unfreezing', 'permission_change')).toEqual([]);
    expect(left('other')).toEqual([]);
  });
});
