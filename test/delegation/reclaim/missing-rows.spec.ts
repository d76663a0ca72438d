import { BlockClock } from '../../../src/chain/verified-chain/block-clock';
import { DatabaseBackup } from '../../support/database-backup';
import { runOnServer } from '../../support/database-server';
import { type Caller, OrderWorld } from '../../support/order-world';
import { inSchemas } from '../../support/standing-clock';
import { until } from '../../support/until';

/** Longer than the wait for what missing rows may have signed. */
const PAST_THE_WAIT_MS = 95_000;
const LONG_AGO_MS = 45 * 60_000;
const BROADCAST = 'wallet/broadcasttransaction';
/** More than a comparison needs, with the time between two looks of an order. */
const SEVERAL = 60;

function readHeight(block: Record<string, unknown>): number {
  return (block as { block_header: { raw_data: { number: number } } }).block_header.raw_data.number;
}

/** protocol.Transaction, of raw data shorter than 16 KB. */
function transactionHex({ bytes, signature }: Record<string, unknown>): string {
  const raw = Buffer.from(String(bytes), 'hex');
  const length = Buffer.from([(raw.length & 0x7f) | 0x80, raw.length >> 7]);
  return Buffer.concat([
    Buffer.from([0x0a]),
    length,
    raw,
    Buffer.from([0x12, 65]),
    Buffer.from(String(signature), 'hex'),
  ]).toString('hex');
}

const SEEN_FIRST = 'public,pg_catalog';
const BEHIND_MS = 600_000;
/** In front of the server's own by the search path of `SEEN_FIRST`. */
const CLOCK_AHEAD = `
  create function clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.clock_timestamp() + interval '${BEHIND_MS} milliseconds' $$`;

describe('orders of one wallet and receiver around a backup that is put back in place', () => {
  let world: OrderWorld;
  let caller: Caller;
  let backup: DatabaseBackup | undefined;
  beforeEach(async () => {
    world = await OrderWorld.open({ block: 100, databaseUrl: async (url) => inSchemas(url, SEEN_FIRST) });
    caller = await world.caller();
  });
  afterEach(async () => {
    await world.close();
    await backup?.drop();
    backup = undefined;
  });

  async function lend(receiver: string, amount: number): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: receiver, amount });
    expect(answer.status).toBe(200);
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    return id;
  }

  const setDue = (id: string) =>
    world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [id]);
  const comparesNow = () =>
    world.untilRow(`select 1 from database_identity where compared_from is not null and timeline is not null`);
  const stakeOf = async (id: string) => (await world.show(id))!.stake_sun;

  /** Two orders are lent, a backup is made, and the first is taken back: what is put back then still calls it lent. */
  async function takeBackAfterBackup(amounts: readonly [number, number]) {
    const receiver = await world.receiver();
    const first = await lend(receiver, amounts[0]);
    const second = await lend(receiver, amounts[1]);
    const lent = await world.energyOf(receiver);
    backup = await DatabaseBackup.of(world.database.url);
    await setDue(first);
    await world.untilState(first, 'reclaimed');
    const left = await world.energyOf(receiver);
    expect(left).toBeLessThan(lent);
    return { receiver, first, second, left };
  }

  /** No operator is asked: the first ends with what is missing as its shortage, the second has all of its energy until its own time. */
  async function endsWell({ receiver, first, second, left }: Awaited<ReturnType<typeof takeBackAfterBackup>>) {
    const over = await world.untilReclaimed(first);
    expect(over.shortage_sun).toBe(await stakeOf(first));
    expect(await world.energyOf(receiver)).toBe(left);
    await setDue(second);
    expect((await world.untilReclaimed(second)).shortage_sun).toBe(0n);
    expect(await world.energyOf(receiver)).toBe(0);
    const signed = await world.query(`select subject_id from chain_transactions where purpose = 'reclaim'`);
    expect(signed.map(({ subject_id: id }) => id)).toEqual([second]);
  }

  it.each([
    ['equal', [1, 1]],
    ['a larger one that is still lent', [1, 3]],
    ['a smaller one that is still lent', [3, 1]],
  ] as const)(
    'by pg_restore --clean: the one that is lent keeps its energy, with stakes that are %s',
    async (_, amounts) => {
      const world_ = await takeBackAfterBackup(amounts);
      await world.stopInstance(world.app);
      await backup!.restoreClean();
      await world.startInstance();
      await setDue(world_.first);
      await comparesNow();
      expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 0, failed: 0 });
      await world.control('clock', { ms: PAST_THE_WAIT_MS });
      await endsWell(world_);
    },
  );

  it('as files, most of an hour old: the same, although nothing but the last block of the chain tells it', async () => {
    const pair = await takeBackAfterBackup([1, 1]);
    await world.control('clock', { ms: LONG_AGO_MS });
    // Final, too: an instance that starts before that finds no gap.
    await world.untilRow(`select 1 from chain_identity where final_at > now() + interval '30 min'`);
    await world.stopInstance(world.app);
    await backup!.restoreRows();
    await world.startInstance();
    await setDue(pair.first);
    await comparesNow();
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    await endsWell(pair);
  });

  it('as files, under a node that is behind and catches up: nothing is compared before it has, and then the same', async () => {
    const pair = await takeBackAfterBackup([1, 1]);
    await world.stopInstance(world.app);
    await backup!.restoreRows();
    // By the clocks of the database and the instance the backup and the chain that the node shows are both ten minutes old.
    const ahead = () => new Date(Date.now() + BEHIND_MS);
    const clock = jest.spyOn(BlockClock.prototype, 'now').mockImplementation(ahead);
    await runOnServer(world.database.url, CLOCK_AHEAD);
    await world.startInstance();
    await setDue(pair.first);
    await world.untilRow('select 1 from database_identity where timeline is null');
    const solid = async () => readHeight(await world.node('walletsolidity/getnowblock'));
    const from = await solid();
    await until('several solid blocks', async () => (await solid()) > from + SEVERAL);
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 0, failed: 0 });
    expect(await world.query('select 1 from database_identity where timeline is null')).toHaveLength(1);
    await world.control('clock', { ms: BEHIND_MS });
    clock.mockRestore();
    // A comparison that began before a block of then was final begins again with it, and waits again.
    await world.untilRow(`select 1 from chain_identity where final_at > clock_timestamp() - interval '1 minute'`);
    await comparesNow();
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    await endsWell(pair);
  });

  it('under an instance that goes on running: the same, since it knows a later final block', async () => {
    const pair = await takeBackAfterBackup([1, 1]);
    await world.control('clock', { ms: 61_000 });
    await world.untilRow(
      "select 1 from chain_identity where final_at > now() + $1::integer * interval '1 second'",
      [30],
    );
    await backup!.restoreRows();
    await setDue(pair.first);
    await comparesNow();
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    await endsWell(pair);
  });

  it('and an instance that is killed while it compares: the next one begins where it ended', async () => {
    const pair = await takeBackAfterBackup([1, 1]);
    await world.stopInstance(world.app);
    await backup!.restoreClean();
    await world.startInstance({}, false);
    const killed = await world.startProcess();
    await setDue(pair.first);
    await comparesNow();
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    const reading = `select 1 from delegation_events where delegation_id = $1 and kind = 'stake read'`;
    await world.untilRow(reading, [pair.first]);
    await killed.stop('SIGKILL');
    await world.startProcess();
    await endsWell(pair);
  });

  it('with an undelegation whose row is gone and that lands late: nothing is taken before it has', async () => {
    const receiver = await world.receiver();
    const [first, second] = [await lend(receiver, 1), await lend(receiver, 1)];
    backup = await DatabaseBackup.of(world.database.url);
    await world.control('fault', { route: BROADCAST, kind: 'busy', count: 1000 });
    await setDue(first);
    const late = await world.untilRow(
      `select tx_id, encode(raw_data, 'hex') as bytes, encode(signature, 'hex') as signature
         from chain_transactions where subject_id = $1 and purpose = 'reclaim'`,
      [first],
    );
    await world.stopInstance(world.app);
    await backup.restoreRows();
    await runOnServer(world.database.url, `update database_identity set timeline = '0000FFFF'`);
    await world.control('fault', { route: BROADCAST, kind: 'none' });
    await world.startInstance();
    await setDue(first);
    await comparesNow();
    const solid = async () => readHeight(await world.node('walletsolidity/getnowblock'));
    const from = await solid();
    await until('several solid blocks', async () => (await solid()) > from + SEVERAL);
    expect(await world.query(`select 1 from chain_transactions where purpose = 'reclaim'`)).toEqual([]);
    const sent = await world.node('wallet/broadcasthex', { transaction: transactionHex(late) });
    expect(sent).toMatchObject({ result: true });
    await until('it to land', async () => {
      const found = await world.node('wallet/gettransactioninfobyid', { value: late['tx_id'] });
      return found['id'] !== undefined;
    });
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    expect((await world.untilReclaimed(first)).shortage_sun).toBe(await stakeOf(first));
    expect(await world.energyOf(receiver)).toBeGreaterThan(0);
    await setDue(second);
    expect((await world.untilReclaimed(second)).shortage_sun).toBe(0n);
  });

  it('closes a pair to new orders no longer than it is compared, once for all orders of it', async () => {
    const receiver = await world.receiver();
    const lent = [await lend(receiver, 1), await lend(receiver, 2), await lend(receiver, 3)];
    backup = await DatabaseBackup.of(world.database.url);
    await world.stopInstance(world.app);
    await backup.restoreClean();
    await world.startInstance();
    await comparesNow();
    await until(
      'an order goes on',
      async () =>
        (await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 })).status === 200,
    );
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
    await setDue(lent[0]!);
    await world.untilReclaimed(lent[0]!);
    expect(await world.query('select receiver from compared_pairs')).toEqual([{ receiver }]);
    for (const id of lent.slice(1)) await setDue(id);
    const rest = await Promise.all(lent.slice(1).map((id) => world.untilState(id, 'reclaimed')));
    const kinds = await world.query(`select delegation_id from delegation_events where kind = 'stake read'`);
    expect(new Set(kinds.map(({ delegation_id: id }) => id))).toEqual(new Set([lent[0]]));
    expect(rest.map(({ shortage_sun: short }) => short)).toEqual([0n, 0n]);
  });
});
