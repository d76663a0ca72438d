import type { TimedView } from '../../src/chain/pool/wallets/wallet-view.repository';
import { TransactionKinds } from '../../src/chain/transactions/kinds/transaction-kinds';
import { Sql } from '../../src/database/sql';
import { ownMoves } from '../../src/reconciliation/uses/own-moves';
import { untilSettled } from '../support/chain-truth';
import { type Caller, OrderWorld } from '../support/order-world';

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
});
