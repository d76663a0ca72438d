import { Capacity } from '../../src/chain/pool/wallets/capacity';
import { Reservations } from '../../src/chain/pool/wallets/reservations';
import { PlanOperation } from '../../src/stake-care/plan-operation';
import { CARING } from '../support/restricted-key';
import { until } from '../support/until';
import { ANN, CareWorld, DAY_MS } from './care-world';

const TRX = 1_000_000n;

describe('unfreezing', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open();
    await care.care();
    await care.run();
    await care.settle();
    await read();
  });
  afterAll(() => care.world.close());

  const unfreeze = (sun: bigint) => care.admin.unfreeze(ANN, 'pool', sun, 'energy');
  async function pool(): Promise<{ delegable: bigint; reserved: bigint; stake: bigint }> {
    const [row] = await care.world.query(
      `select delegable_sun, reserved_sun, stake_sun from pool_wallets where name = 'pool'`,
    );
    return {
      delegable: row!['delegable_sun'] as bigint,
      reserved: row!['reserved_sun'] as bigint,
      stake: row!['stake_sun'] as bigint,
    };
  }
  /** A reading of what is final. */
  async function read(): Promise<void> {
    await care.blocks(6);
    await until('a reading of the newest solid block', async () => {
      await care.world.tryToReadWallets();
      const { block_header: head } = (await care.world.node('walletsolidity/getblock', { detail: false })) as {
        block_header: { raw_data: { number: number } };
      };
      const [row] = await care.world.query(`select observed_block from pool_wallets where name = 'pool'`);
      return Number(row!['observed_block']) >= head.raw_data.number;
    });
  }
  const order = async (amount: number) =>
    care.world.delegate(await care.world.caller({ balance: 10_000_000 }), {
      receiver_address: await care.world.receiver(),
      amount,
    });

  it('takes nothing that is promised to an order, says how much is free, and leaves an entry', async () => {
    const answer = order(1);
    await care.world.untilPending(1);
    const { delegable, reserved } = await pool();
    expect(reserved).toBeGreaterThan(0n);
    const free = delegable - reserved;
    await expect(unfreeze(free + 1n)).rejects.toMatchObject({ code: 'stake.not-free', parameters: { freeSun: free } });
    expect((await care.states()).filter((state) => state.startsWith('unfreeze'))).toEqual([]);
    const [entry] = await care.world.query(
      `select outcome, after from audit_log where action = 'stake.unfreeze' order by id desc limit 1`,
    );
    expect(entry).toMatchObject({ outcome: 'refused', after: { resource: 'energy' } });
    await care.blocks(6);
    expect((await answer).status).toBe(200);
    await read();
    // A reading does not show lent stake as free, either.
    const lent = await pool();
    await expect(unfreeze(lent.delegable - lent.reserved + 1n)).rejects.toMatchObject({ code: 'stake.not-free' });
  });

  it('keeps the stake from orders from its plan on, until it is gone from the readings', async () => {
    const before = await pool();
    const sun = before.delegable - before.reserved - 1_000n * TRX;
    const { operation, slotsLeft, availableAt } = await unfreeze(sun);
    expect(operation).toMatchObject({ kind: 'unfreeze', state: 'sent', requested_by: 'ann@here' });
    expect(slotsLeft).toBe(31n);
    expect(availableAt.getTime()).toBeGreaterThan(Date.now() + 13 * DAY_MS);
    expect((await pool()).reserved).toBe(before.reserved + sun);
    expect((await order(1)).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    await expect(unfreeze(TRX)).rejects.toMatchObject({ code: 'stake.under-way' });
    await care.settle();
    // Final, in a block that the reading does not have: still promised to none.
    await care.world.app.app.get(Reservations).freeUnpromised(TRX);
    expect((await order(1)).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    await read();
    const after = await pool();
    expect(after.stake).toBe(before.stake - sun);
    expect(after.reserved).toBe(0n);
    expect(after.delegable).toBeLessThanOrEqual(1_001n * TRX);
    expect(await care.unexplained()).toEqual([]);
  });

  it('is followed by votes for what is left, and by a withdrawal once its TRX are there', async () => {
    await care.run();
    await care.settle();
    const power = await care.power();
    expect((await care.votes()).reduce((sum, count) => sum + count, 0)).toBe(power);
    const { balance = 0, unfrozenV2 = [] } = await care.account();
    expect(unfrozenV2).toHaveLength(1);
    await care.run();
    expect((await care.states()).filter((state) => state.startsWith('withdraw'))).toEqual([]);
    await care.later(14 * DAY_MS);
    await care.run();
    await care.settle();
    await care.run();
    const withdrawal = (await care.operations()).find(({ kind }) => kind === 'withdraw');
    expect(withdrawal).toMatchObject({ state: 'final', amount_sun: BigInt(unfrozenV2[0]!.unfreeze_amount) });
    const after = await care.account();
    expect(after.unfrozenV2 ?? []).toEqual([]);
    expect(after.balance).toBeGreaterThanOrEqual(balance + unfrozenV2[0]!.unfreeze_amount);
    expect(await care.unexplained()).toEqual([]);
  });

  it('is cancelled as a whole, and what was being unfrozen is staked again', async () => {
    await read();
    const { stake } = await pool();
    await care.admin.freeze(ANN, 'pool', 500n * TRX, 'energy');
    await care.settle();
    await read();
    await care.admin.unfreeze(ANN, 'pool', 300n * TRX, 'energy');
    await care.settle();
    await care.admin.cancelUnfreeze(ANN, 'pool');
    await care.settle();
    await read();
    expect((await pool()).stake).toBe(stake + 500n * TRX);
    expect(await care.unexplained()).toEqual([]);
  });

  it('gives the stake back to orders when the key may not unfreeze', async () => {
    await care.allow(CARING);
    await read();
    const { reserved } = await pool();
    const { operation } = await unfreeze(100n * TRX);
    expect(operation).toMatchObject({ state: 'refused', error: expect.stringContaining('SIGERROR') as string });
    expect((await pool()).reserved).toBe(reserved + 100n * TRX);
    await care.settle();
    expect((await care.states()).at(-1)).toBe('unfreeze failed');
    await read();
    expect((await pool()).reserved).toBe(reserved);
    await care.world.app.app.get(Capacity).refresh();
  });

  it('takes stake whose energy is used from a wallet that takes no orders, and from no other', async () => {
    await read();
    const plan = () =>
      care.world.app.app
        .get(PlanOperation)
        .plan(ANN, { name: 'pool', kind: 'unfreeze', resource: 'energy', amountSun: 10n * TRX });
    const set = (state: string) =>
      care.world.query(
        `update pool_wallets set state = $1, delegable_sun = reserved_sun + 5000000 where name = 'pool' returning 1`,
        [state],
      );
    await set('active');
    await expect(plan()).rejects.toMatchObject({ code: 'stake.not-free', parameters: { freeSun: 5n * TRX } });
    await set('draining');
    await expect(plan()).resolves.toMatchObject({ state: 'planned' });
  });
});
