import { TronWeb } from 'tronweb';
import { formatTrx } from '../../../src/common/money/sun';
import { CheckEverything } from '../../../src/reconciliation/check-everything';
import { DatabaseBackup } from '../../support/database-backup';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const LENT = 'walletsolidity/getdelegatedresourcev2';
const SOLID_HEAD = 'walletsolidity/getblock';
const GENESIS = 'walletsolidity/getblockbynum';
const BROADCAST = 'wallet/broadcasttransaction';
/** Longer than the wait for what missing rows may have signed. */
const PAST_THE_WAIT_MS = 95_000;
/** Longer than bytes live. */
const PAST_DEATH_MS = 65_000;

function energyStakeIn(shown: Record<string, unknown>): bigint {
  const records = shown['delegatedResource'] as { frozen_balance_for_energy: number }[];
  return BigInt(records[0]!.frozen_balance_for_energy);
}

describe('an order that was taken back after the backup, asked of two nodes', () => {
  let world: OrderWorld;
  let caller: Caller;
  let first: NodeProxy;
  let second: NodeProxy;
  let urls: string[];
  let backup: DatabaseBackup;
  let pair: { receiver: string; taken: string; running: string; lentBefore: string };

  beforeEach(async () => {
    world = await OrderWorld.open({
      block: 100,
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        urls = [await first.open(), await second.open()];
        return urls.join(',');
      },
    });
    caller = await world.caller();
    const receiver = await world.receiver();
    const [taken, running] = [await lend(receiver), await lend(receiver)];
    const lentBefore = JSON.stringify(await shownLent(receiver));
    backup = await DatabaseBackup.of(world.database.url);
    await setDue(taken);
    await world.untilState(taken, 'reclaimed');
    await world.stopInstance(world.app);
    await backup.restoreClean();
    pair = { receiver, taken, running, lentBefore };
  });
  afterEach(async () => {
    await world.close();
    await Promise.all([first, second].map((node) => node.close()));
    await backup.drop();
  });

  async function lend(receiver: string): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    return id;
  }

  const shownLent = (receiver: string) => {
    const pool = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const [fromAddress, toAddress] = [pool, receiver].map((address) => TronWeb.address.toHex(address));
    return world.node(LENT, { fromAddress, toAddress });
  };
  const setDue = (id: string) =>
    world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [id]);
  const lookNow = (id: string) =>
    world.query(`update delegations set next_attempt_at = null where id = $1 returning id`, [id]);

  /** Its undelegation of after the backup has landed or expired by then. */
  async function compare(): Promise<void> {
    await world.startInstance();
    await setDue(pair.taken);
    await world.untilRow(`select 1 from database_identity where compared_from is not null and timeline is not null`);
    await world.control('clock', { ms: PAST_THE_WAIT_MS });
  }

  const showBefore = (...nodes: NodeProxy[]) =>
    nodes.forEach((node) => (node.answers = ({ route }) => (route === LENT ? pair.lentBefore : undefined)));
  const showTruth = () => [first, second].forEach((node) => (node.answers = () => undefined));

  async function endsShort(): Promise<void> {
    const { taken, running, receiver } = pair;
    const over = await world.untilReclaimed(taken);
    expect(over.shortage_sun).toBe(over.stake_sun);
    expect(await world.energyOf(receiver)).toBeGreaterThan(0);
    await setDue(running);
    expect((await world.untilReclaimed(running)).shortage_sun).toBe(0n);
    expect(await world.energyOf(receiver)).toBe(0);
  }

  it('in a view that is behind until the bytes have died: its pair is compared again, and nothing is taken twice', async () => {
    showBefore(first, second);
    await world.control('fault', { route: BROADCAST, kind: 'busy', count: 1000 });
    await compare();
    const signed = `select 1 from chain_transactions where subject_id = $1 and purpose = 'reclaim'`;
    await until('a reclaim by what the nodes show', async () => {
      await lookNow(pair.taken);
      return (await world.query(signed, [pair.taken])).length > 0;
    });
    showTruth();
    await world.control('clock', { ms: PAST_DEATH_MS });
    await world.untilRow(`${signed} and state = 'dead'`, [pair.taken]);
    await world.control('fault', { route: BROADCAST, kind: 'none' });
    await endsShort();
  });

  it('is read no more often than the nodes go on, and their genesis blocks are not compared for each look', async () => {
    await compare();
    let standing: string | undefined;
    const stand = (node: NodeProxy) => (node.answers = ({ route }) => (route === SOLID_HEAD ? standing : undefined));
    const readings = async () =>
      (
        await world.query(`select 1 from delegation_events where delegation_id = $1 and kind = 'stake read'`, [
          pair.taken,
        ])
      ).length;
    await until('a reading', async () => {
      await lookNow(pair.taken);
      return (await readings()) > 0;
    });
    standing = JSON.stringify(await world.node(SOLID_HEAD, { detail: false }));
    [first, second].forEach(stand);
    // One reading may be under way, in the block at which the nodes stand from now on.
    const looks = async (count: number) => {
      const before = first.count(SOLID_HEAD);
      await until(`${count} looks`, async () => {
        await lookNow(pair.taken);
        return first.count(SOLID_HEAD) >= before + count;
      });
    };
    await looks(8);
    const counts = (route: string) => [first, second].map((node) => node.count(route));
    const [asked, compared] = [counts(LENT), counts(GENESIS)];
    await looks(8);
    expect(counts(LENT)).toEqual(asked);
    // Beside the comparison that is made every 20 seconds.
    expect(counts(GENESIS)[0]! - compared[0]!).toBeLessThan(4);
    showTruth();
    await endsShort();
  });

  it('that show different amounts: it waits, and the finding of its overdue reclaim names both and what they show', async () => {
    showBefore(second);
    await compare();
    await world.untilRow(`select 1 from delegations where id = $1 and attempts >= 2`, [pair.taken]);
    const { findings } = await world.app.app.get(CheckEverything).run();
    const errors = findings.flatMap(({ kind, parameters }) => (kind === 'overdue_reclaim' ? [parameters] : []));
    const lent = [await shownLent(pair.receiver), JSON.parse(pair.lentBefore) as Awaited<ReturnType<typeof shownLent>>];
    const said = lent.map((shown, at) => `${new URL(urls[at]!).host} ${formatTrx(energyStakeIn(shown))} TRX`);
    expect(new Set(lent.map(energyStakeIn)).size).toBe(2);
    expect(errors).toEqual([
      expect.objectContaining({
        error: expect.stringContaining(`so one of them is wrong: ${said.join(', ')}`) as string,
      }),
    ]);
    showTruth();
    await endsShort();
  });
});
