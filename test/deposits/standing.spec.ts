import { FinalFeed } from '../../src/chain/observer/final-feed';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { DepositWorld } from './deposit-world';

describe('a scanner of deposits that stands', () => {
  let deposits: DepositWorld;
  beforeAll(async () => {
    deposits = await DepositWorld.open();
    await stopReconcilerTurns(deposits.world.app.app);
  });
  afterAll(() => deposits.close());

  const set = (change: string) =>
    deposits.world.query(`update followed_blocks set ${change} where subscriber = 'deposits' returning 1`);
  const found = async () => {
    await deposits.world.app.app.get(Reconciler).run();
    return deposits.world.query(
      `select subject, parameters from findings where kind = 'deposits_behind' and resolved_at is null`,
    );
  };

  it('is a finding after five minutes, where it is more than 40 blocks behind, until it goes on', async () => {
    await deposits.mine(60);
    await deposits.untilFollowed();
    const [place] = await deposits.world.query(`select number, id from followed_blocks where subscriber = 'deposits'`);
    // It stands long, and has nothing to read.
    await set(`moved_at = clock_timestamp() - interval '6 minutes'`);
    expect(await found()).toEqual([]);
    await deposits.world.app.app.get(FinalFeed).ended();
    // A block that is on no branch: it can give no child of it.
    await set(`number = number - 41, id = repeat('ab', 32), moved_at = clock_timestamp() - interval '4 minutes'`);
    expect(await found()).toEqual([]);
    await set(`number = number + 1, moved_at = clock_timestamp() - interval '6 minutes'`);
    expect(await found()).toEqual([]);
    await set(`number = number - 1, moved_at = clock_timestamp() - interval '6 minutes'`);
    expect(await found()).toMatchObject([
      { subject: 'chain', parameters: { number: String(Number(place!['number']) - 41), blocks: '41' } },
    ]);
    await deposits.world.query(
      `update followed_blocks set number = $1, id = $2 where subscriber = 'deposits' returning 1`,
      [place!['number'], place!['id']],
    );
    await deposits.settle();
    expect(await found()).toEqual([]);
    const moved = `select 1 from followed_blocks where subscriber = 'deposits' and moved_at > clock_timestamp() - interval '5 minutes'`;
    expect(await deposits.world.query(moved)).toHaveLength(1);
  });
});
