import type { AccountView } from '../../src/chain/tron/node/account-view';
import type { TimedView } from '../../src/chain/pool/wallets/wallet-view.repository';
import type { TransactionKind } from '../../src/chain/transactions/kinds/transaction-kind';
import { ACTIVATION, DELEGATION } from '../../src/delegation/transaction-kinds';
import {
  CANCEL_UNFREEZE,
  FREEZE_BANDWIDTH,
  FREEZE_ENERGY,
  UNFREEZE_ENERGY,
  VOTE,
} from '../../src/stake-care/transaction-kinds';
import type { OwnMove } from '../../src/reconciliation/uses/own-moves';
import { narrowed, notChangedBy, unexplained } from '../../src/reconciliation/uses/view-difference';

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
  energySun: 0n,
  bandwidthSun: 0n,
  restakes: false,
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

  it('is stake that our own freezing and unfreezing do not explain, to the sun and in the block that they are in', () => {
    const frozen = { energySun: VIEW.energySun + 500n, balanceSun: VIEW.balanceSun - 500n, operatedMs: 8_000 };
    expect(fields(frozen, [move(FREEZE_ENERGY, 500n)])).toEqual([]);
    expect(fields(frozen, [move(FREEZE_BANDWIDTH, 500n)])).toEqual(['energy_stake', 'bandwidth_stake']);
    expect(fields(frozen, [move(FREEZE_ENERGY, 499n)])).toEqual(['energy_stake']);
    const unfrozen = { energySun: VIEW.energySun - 100n, operatedMs: 8_000 };
    expect(fields(unfrozen, [move(UNFREEZE_ENERGY, 100n)])).toEqual([]);
    expect(fields(unfrozen, [move(UNFREEZE_ENERGY, 101n)])).toEqual(['energy_stake']);
    for (const block of [11, 21, null]) {
      expect(fields(unfrozen, [move(UNFREEZE_ENERGY, 100n, block)])).toEqual([]);
      expect(fields({}, [move(UNFREEZE_ENERGY, 100n, block)])).toEqual([]);
    }
    expect(fields({}, [move(UNFREEZE_ENERGY, 100n, 12)])).toEqual(['energy_stake']);
    // A vote for thirty witnesses has four times the bytes of any other transaction of ours.
    const voted = { balanceSun: VIEW.balanceSun - 1_118_000n, operatedMs: 8_000 };
    expect(fields(voted, [move(VOTE, 0n)])).toEqual([]);
  });

  it('leaves out stake that a cancelled unfreezing brings back, and nothing else', () => {
    const cancelled = [move(CANCEL_UNFREEZE, 0n)];
    expect(fields({ energySun: 5_000n, bandwidthSun: 51n, operatedMs: 8_000 }, cancelled)).toEqual([]);
    expect(fields({ energySun: 999n, operatedMs: 8_000 }, cancelled)).toEqual(['energy_stake']);
    expect(fields({ energySun: 1_001n, lentEnergySun: 299n, operatedMs: 8_000 }, cancelled)).toEqual(['lent_energy']);
    for (const block of [11, 21, null])
      expect(fields({ energySun: 5_000n }, [move(CANCEL_UNFREEZE, 0n, block)])).toEqual([]);
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

  it('is stake that only a part of the moves of one block explains', () => {
    const ofBlock = (block: number) => [move(DELEGATION, 100n, block), move(DELEGATION, 200n, block)];
    const lent = (sun: bigint) => ({ energySun: VIEW.energySun - sun, lentEnergySun: VIEW.lentEnergySun + sun });
    for (const block of [11, 21]) {
      for (const sun of [0n, 300n]) expect(fields(lent(sun), ofBlock(block))).toEqual([]);
      for (const sun of [100n, 200n]) expect(fields(lent(sun), ofBlock(block))).toEqual(['lent_energy']);
    }
    // Each reading is of one of its own blocks.
    for (const sun of [0n, 300n, 600n]) expect(fields(lent(sun), [...ofBlock(11), ...ofBlock(21)])).toEqual([]);
    expect(fields(lent(500n), [...ofBlock(11), ...ofBlock(21)])).toEqual(['lent_energy']);
    // Which of those that are in no block yet will be in one, is not known.
    const open = [move(DELEGATION, 100n, null), move(DELEGATION, 200n, null)];
    for (const sun of [0n, 100n, 200n, 300n]) expect(fields(lent(sun), open)).toEqual([]);
    expect(fields(lent(301n), open)).toEqual(['lent_energy']);
  });

  it('is what a reading of the block that the one before was of cannot show', () => {
    const at = (lentEnergySun: bigint, block: number, until: number): TimedView => ({
      view: { ...VIEW, lentEnergySun },
      block,
      until,
      at: new Date(0),
    });
    const span = (reading: TimedView, moves: readonly OwnMove[]) => {
      const view = narrowed(EARLIER, reading, moves);
      return view && [view.block, view.until];
    };
    const moves = [move(DELEGATION, 100n, 22), move(DELEGATION, 200n, 24)];
    expect(span(at(300n, 20, 25), moves)).toEqual([20, 21]);
    expect(span(at(400n, 20, 25), moves)).toEqual([22, 23]);
    expect(span(at(600n, 20, 25), moves)).toEqual([24, 25]);
    expect(span(at(500n, 20, 25), moves)).toBeNull();
    expect(span(at(300n, 20, 25), [])).toEqual([20, 25]);
    // Somebody else took as much as ours lent in block 22: what shows nothing of either shows none of that block.
    const taken = narrowed(EARLIER, at(300n, 20, 22), [moves[0]!])!;
    expect(unexplained(taken, at(300n, 30, 30), [moves[0]!]).map(({ field }) => field)).toContain('lent_energy');
  });

  it('is nothing where the later reading is of a block below that of the earlier one', () => {
    const [wide, narrow] = [
      { ...EARLIER, until: 13 },
      { ...later({}), block: 11, until: 11 },
    ];
    const moves = [move(DELEGATION, 200n, 12)];
    const less = { ...narrow, view: { ...VIEW, energySun: 1_200n, lentEnergySun: 100n } };
    expect(unexplained(wide, less, moves)).toEqual([]);
    expect(unexplained(wide, narrow, moves)).toEqual([]);
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
