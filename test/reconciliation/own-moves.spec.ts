import type { TimedView } from '../../src/chain/pool/wallets/wallet-view.repository';
import { TransactionKinds } from '../../src/chain/transactions/kinds/transaction-kinds';
import { Sql } from '../../src/database/sql';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { ownMoves } from '../../src/reconciliation/uses/own-moves';
import { untilSettled } from '../support/chain-truth';
import { type Caller, OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';

const FIRST = { block: 0, until: 0, at: new Date(0), view: { operatedMs: 0 } } as TimedView;
const LAST_BLOCK = 1_000;

describe('what a reading of a wallet may show of our own transactions', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 6, env: { ANSWER_TIMEOUT: '20s' } });
    caller = await world.caller();
    await world.control('block');
  });
  afterAll(() => world.close());

  it('is in a block for certain once that is final, and until then in any: a fork may have dropped the one that its row names', async () => {
    const sql = world.app.app.get(Sql);
    const [wallet] = await world.query(`select address from pool_wallets where name = 'pool'`);
    const moves = () =>
      ownMoves(sql, world.app.app.get(TransactionKinds), String(wallet!['address']), FIRST, LAST_BLOCK);
    const answer = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    await world.control('block');
    expect((await answer).headers.get('x-delegation-state')).toBe('included');
    const lentSun = BigInt(String((await world.query('select stake_sun from delegations'))[0]!['stake_sun']));
    expect(await moves()).toMatchObject([{ lentSun, block: null, timeMs: null }]);
    await world.control('block', { count: 7 });
    await untilSettled(world.app.sql);
    const [row] = await world.query(`select block_number from chain_transactions where purpose = 'delegation'`);
    expect(await moves()).toMatchObject([{ lentSun, block: Number(row!['block_number']) }]);
  });

  it('tells of which block a reading is that may be of several: of none that has more', async () => {
    await stopReconcilerTurns(world.app.app);
    const [row] = await world.query(`select block_number from chain_transactions where purpose = 'delegation'`);
    const block = Number(row!['block_number']);
    // As a reading is that the node began below the delegation's block and ended above it, and shows nothing lent.
    await world.query(
      `update wallet_views v set newest = explained, newest_block = $2, newest_until = $3, explained_block = $1, explained_until = $1
         from pool_wallets w where w.id = v.wallet_id and w.name = 'pool' returning 1`,
      [block - 2, block - 1, block + 1],
    );
    await world.app.app.get(Reconciler).run('changed');
    const [view] = await world.query(
      `select explained_block, explained_until from wallet_views v join pool_wallets w on w.id = v.wallet_id where w.name = 'pool'`,
    );
    expect([Number(view!['explained_block']), Number(view!['explained_until'])]).toEqual([block - 1, block - 1]);
  });
});
