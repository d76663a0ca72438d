import { TronWeb } from 'tronweb';
import type { CrashPoint } from '../../../config/crash-point';
import { ensureBuild } from '../../support/build';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

/** Around everything that a reclaim does. */
const KILLED_AT: CrashPoint[] = [
  'after-reclaim-claim',
  'before-reclaim-broadcast',
  'after-reclaim-broadcast',
  'before-reclaim-final-commit',
];
const EXPIRE = [
  `update delegations set claimed_until = now() - interval '1 second' where claimed_until is not null returning id`,
  `update delegations set next_attempt_at = now() where next_attempt_at > now() returning id`,
];
/** By our rows: what was lent to the receiver in each block, less what was taken back. */
const MOVED = `
  select block_number::integer as block, sum(case purpose when 'delegation' then amount_sun else -amount_sun end)::bigint as sun
    from chain_transactions where receiver = $1 and state = 'final' group by 1`;

/** What the chain has done, block by block. */
interface ChainRecord {
  readonly solid: { readonly number: number };
  readonly transactions: readonly {
    readonly blockNumber: number;
    readonly transaction: {
      readonly ret: readonly [{ readonly contractRet: string }];
      readonly raw_data: {
        readonly contract: readonly [
          {
            readonly type: string;
            readonly parameter: { readonly value: { readonly receiver_address?: string; readonly balance?: number } };
          },
        ];
      };
    };
  }[];
}
const SIGN: Record<string, bigint> = { DelegateResourceContract: 1n, UnDelegateResourceContract: -1n };

const hex = (address: string) => TronWeb.address.toHex(address);

describe('overlapping orders to one receiver, their reclaims killed and tried again', () => {
  let world: OrderWorld;
  let caller: Caller;
  let sampling = true;
  beforeAll(async () => {
    ensureBuild();
    world = await OrderWorld.open({
      block: 200,
      backgroundWork: false,
      env: { RECLAIM_DELAY: '1h', RECLAIM_SWEEP: '100ms', ANSWER_TIMEOUT: '3s' },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    sampling = false;
    await world.close();
  });

  const solidNumber = async () => {
    const { block_header: header } = (await world.node('walletsolidity/getnowblock')) as {
      block_header: { raw_data: { number?: number } };
    };
    return header.raw_data.number ?? 0;
  };

  /** Stake that is lent to the receiver at each height up to the newest final one, by the chain's own record of every transaction. */
  async function lentByHeight(receiver: string): Promise<bigint[]> {
    const record = (await (await fetch(`${world.chain.url}/control/state`)).json()) as ChainRecord;
    const change = Array.from({ length: record.solid.number + 1 }, () => 0n);
    for (const { blockNumber, transaction } of record.transactions) {
      const { type, parameter } = transaction.raw_data.contract[0];
      if (transaction.ret[0].contractRet !== 'SUCCESS' || parameter.value.receiver_address !== hex(receiver)) continue;
      if (blockNumber < change.length)
        change[blockNumber]! += (SIGN[type] ?? 0n) * BigInt(parameter.value.balance ?? 0);
    }
    let lent = 0n;
    return change.map((sun) => (lent += sun));
  }

  /** What every solid block shows as lent to the receiver, as far as it can be read between two others. */
  async function sample(receiver: string, shown: Map<number, bigint>): Promise<void> {
    const pool = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const pair = { fromAddress: hex(pool), toAddress: hex(receiver) };
    while (sampling) {
      const before = await solidNumber();
      const found = await world.node('walletsolidity/getdelegatedresourcev2', pair);
      const [record] = (found['delegatedResource'] ?? []) as { frozen_balance_for_energy?: number }[];
      if (before === (await solidNumber())) shown.set(before, BigInt(record?.frozen_balance_for_energy ?? 0));
      await until('another solid block', async () => !sampling || (await solidNumber()) !== before);
    }
  }

  it('at every solid block the chain shows the sum of the orders that are lent then, and nothing is taken back twice', async () => {
    const receiver = await world.receiver();
    const shown = new Map<number, bigint>();
    const sampler = sample(receiver, shown);
    const follower = await world.startInstance();
    const ids = await Promise.all(
      [1, 2, 3, 1.5, 1].map(async (amount) => {
        const answer = await world.delegate(caller, { receiver_address: receiver, amount });
        return answer.headers.get('x-delegation-id')!;
      }),
    );
    await untilSettled(world.app.sql);
    await world.stopInstance(follower);

    const makeDue = (id: string) =>
      world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [id]);
    const untilBack = (which: string) =>
      until('taken back', async () => {
        for (const statement of EXPIRE) await world.query(statement);
        return (await world.query(`select 1 from delegations where state <> 'reclaimed' and ${which}`)).length === 0;
      });
    for (const [at, point] of KILLED_AT.entries()) {
      await makeDue(ids[at]!);
      const killed = await world.startProcess({ CRASH_AT: point });
      await killed.ended;
      expect(killed.process.signalCode).toBe('SIGKILL');
      // The successor has this order back before the next one is due: each is a step of its own.
      const successor = await world.startInstance();
      await untilBack(`id = '${ids[at]!}'`);
      await world.stopInstance(successor);
      const height = await solidNumber();
      await until('a later block shown', async () => [...shown.keys()].some((number) => number > height));
    }
    await makeDue(ids[4]!);
    await world.startInstance();
    await untilBack('true');
    await untilSettled(world.app.sql);
    const end = await solidNumber();
    await until('the end shown', async () => shown.has(end) || (await solidNumber()) > end + 5);
    sampling = false;
    await sampler;

    const moved = await world.query(MOVED, [receiver]);
    const lentAt = (height: number) =>
      moved.reduce((sum, { block, sun }) => (Number(block) <= height ? sum + (sun as bigint) : sum), 0n);
    const byHeight = await lentByHeight(receiver);
    for (const [height, sun] of byHeight.entries()) expect([height, sun]).toEqual([height, lentAt(height)]);
    // It fell with each order, from all five.
    expect(new Set(byHeight).size).toBeGreaterThanOrEqual(6);
    // And so a node has shown it meanwhile, wherever it could be read between two blocks.
    expect(shown.size).toBeGreaterThan(20);
    // It was seen falling, not only whole and gone.
    expect(new Set(shown.values()).size).toBeGreaterThanOrEqual(3);
    for (const [height, sun] of shown) expect([height, sun]).toEqual([height, lentAt(height)]);
    const reclaims = await world.query(
      `select subject_id from chain_transactions where purpose = 'reclaim' and state = 'final'`,
    );
    expect(reclaims.map(({ subject_id: id }) => String(id)).toSorted()).toEqual(ids.toSorted());
    const views = await Promise.all(ids.map((id) => world.show(id)));
    expect(views.map((view) => view!.shortage_sun)).toEqual(ids.map(() => 0n));
    await expectChainTruth(world);
  });
});
