import { ChainWork } from '../../../src/chain/observer/chain-work';
import { LookedThrough } from '../../../src/chain/observer/looked-through';
import { BlockBodies } from '../../../src/chain/verified-chain/block-bodies';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { chargeFaults } from '../../support/charge-truth';
import { DatabaseBackup } from '../../support/database-backup';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
const PAST_EVERY_LIFE_MS = 300_000;
/** As another instance does that has seen the block first. */
const DECIDED_ELSEWHERE = `update chain_transactions set state = 'final' where subject_id = $1 returning id`;

describe('a running instance whose database loses the outcome of a transaction that landed', () => {
  let world: OrderWorld;
  let caller: Caller;
  let backup: DatabaseBackup | undefined;
  beforeEach(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      env: { DELEGATION_ANSWER: 'accepted', RECLAIM_SWEEP: '10m', ANSWER_TIMEOUT: '500ms' },
    });
    await mine(12);
    caller = await world.caller();
  });
  afterEach(async () => {
    await world.close();
    await backup?.drop();
    backup = undefined;
  });

  const mine = async (count = 1): Promise<number> => {
    const { head } = (await world.control('block', { count })) as { head: { number: number } };
    return head.number;
  };
  const chain = () => world.app.app.get(VerifiedChain).headers;
  const stateOf = async (id: string) => (await world.show(id))!.state;
  const untilIn = (id: string, ...states: string[]) =>
    until(`${states.join(' or ')}, and not ${id}`, async () => {
      if (states.includes(await stateOf(id))) return true;
      await mine();
      return false;
    });
  const isIncluded = (purpose: string) =>
    world.untilRow(`select 1 from chain_transactions where purpose = $1 and state = 'included'`, [purpose]);

  async function order(receiver: string): Promise<string> {
    const answer = await until('an order', async () => {
      await world.tryToReadWallets();
      const given = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
      return given.status === 200 && given;
    });
    return answer.headers.get('x-delegation-id')!;
  }

  /** Its transaction is in no block and stays open: final blocks are read from its reference block on until it has expired. */
  async function orderThatNeverLands(): Promise<string> {
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1_000 });
    const id = await order(await world.receiver());
    await world.query(`update chain_transactions set resend = false where subject_id = $1 returning id`, [id]);
    await world.control('fault', { route: BROADCAST, kind: 'none' });
    return id;
  }

  /** The network never saw the first one: once that is dead, all that landed has been decided too. */
  async function untilAllExpired(open: string): Promise<void> {
    await world.control('clock', { ms: PAST_EVERY_LIFE_MS });
    await untilIn(open, 'failed');
    await until('nothing open', async () => {
      await mine();
      return (await world.query(`select 1 from chain_transactions where state not in ('final', 'dead')`)).length === 0;
    });
  }

  it('charges a delegation of then once, and calls it lent', async () => {
    const open = await orderThatNeverLands();
    const id = await order(await world.receiver());
    await world.untilPending();
    await mine();
    await isIncluded('delegation');
    backup = await DatabaseBackup.of(world.database.url);
    await untilIn(id, 'delegated');
    await backup.restoreRows();
    expect(await stateOf(open)).toBe('sent');
    await untilAllExpired(open);
    expect(await stateOf(id)).toBe('delegated');
    expect(await world.query(`select kind from ledger_entries where delegation_id = $1`, [id])).toEqual([
      { kind: 'charge' },
    ]);
    expect(await chargeFaults(world.app.sql)).toEqual([]);
  });

  it('takes energy back once, and calls the order reclaimed', async () => {
    const receiver = await world.receiver();
    const id = await order(receiver);
    await world.untilPending();
    await untilIn(id, 'delegated');
    const open = await orderThatNeverLands();
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      id,
    ]);
    await until('a reclaim', async () => {
      await world.sweepOnce();
      return (await stateOf(id)) === 'reclaiming';
    });
    await world.untilPending();
    await mine();
    await isIncluded('reclaim');
    backup = await DatabaseBackup.of(world.database.url);
    await untilIn(id, 'reclaimed');
    await backup.restoreRows();
    expect(await stateOf(id)).toBe('reclaiming');
    await untilAllExpired(open);
    expect(await world.show(id)).toMatchObject({ state: 'reclaimed', shortage_sun: 0n });
    expect(await world.query(`select state from chain_transactions where purpose = 'reclaim'`)).toEqual([
      { state: 'final' },
    ]);
    expect(await world.energyOf(receiver)).toBe(0);
  });

  /** As before the block is final, with nothing of ours. */
  const untilLeftOut = (number: number) =>
    until('the block kept as one without ours', async () => {
      const header = chain()?.at(number);
      return header && world.app.app.get(BlockBodies).of(header)?.owners.size === 0;
    });

  it.each([
    ['looked through its block', true],
    ['left its block out, since nothing was open', false],
  ])('finds it in its block also when another instance had decided it before this one %s', async (_, isOtherOpen) => {
    const open = isOtherOpen ? await orderThatNeverLands() : null;
    const id = await order(await world.receiver());
    await world.untilPending();
    backup = await DatabaseBackup.of(world.database.url);
    await world.query(DECIDED_ELSEWHERE, [id]);
    await until('it known', () => Promise.resolve(isOtherOpen || !world.app.app.get(ChainWork).isBusy));
    const number = await mine();
    await untilLeftOut(number);
    await mine(20);
    await until('its block looked through', async () => {
      await world.app.app.get(LookedThrough).waitForFinal();
      return chain()!.final!.number > number;
    });
    await backup.restoreRows();
    await world.control('clock', { ms: PAST_EVERY_LIFE_MS });
    await untilIn(id, 'delegated', 'failed');
    expect(await stateOf(id)).toBe('delegated');
    if (open) await untilIn(open, 'failed');
  });

  it('reads blocks once more for all transactions together that never landed', async () => {
    const ids = [await orderThatNeverLands(), await orderThatNeverLands(), await orderThatNeverLands()];
    const forgets = jest.spyOn(world.app.app.get(BlockBodies), 'forget');
    await world.control('clock', { ms: PAST_EVERY_LIFE_MS });
    for (const id of ids) await untilIn(id, 'failed');
    expect(forgets).toHaveBeenCalledTimes(1);
  });
});
