import { headerBytes, idOfBytes } from '../../src/chain/proof/block-id';
import { toHexAddress } from '../../src/chain/tron/addresses';
import { NodeUnavailableError } from '../../src/chain/tron/node/node-errors';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { lendByHand, takeBackByHand } from '../support/by-hand';
import { NodeProxy, ofAnotherChain } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

interface HeaderJson {
  blockID: string;
  block_header: { raw_data: Record<string, unknown> };
}

/** The header as that of block 1, with the id that such a one has. */
function first(answer: string): string {
  const header = JSON.parse(answer) as HeaderJson;
  header.block_header.raw_data['number'] = 1;
  header.blockID = idOfBytes(1n, headerBytes(header.block_header.raw_data)!);
  return JSON.stringify(header);
}

function rethrowOthers(error: unknown): void {
  if (!(error instanceof NodeUnavailableError)) throw error;
}

const LENT = 'walletsolidity/getdelegatedresourcev2';

describe('the reconciler, asking nodes of which one lags', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeEach(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  const run = () => world.app.app.get(Reconciler).run();
  const setState = (state: 'active' | 'paused') => world.app.app.get(PoolWallets).setState('pool', state);
  /** So many readings of what is lent show nothing. */
  const lag = (readings: number) => {
    let replies = 0;
    proxy.after = ({ route }, answer) => (route === LENT && replies++ < readings ? '{}' : answer);
  };
  async function lend(): Promise<{ id: string; receiver: string; stakeSun: bigint }> {
    const receiver = await world.receiver();
    const answer = await world.delegate(await world.caller(), { receiver_address: receiver, amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    return { id, receiver, stakeSun };
  }
  async function orderCode(): Promise<string> {
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const { headers } = await world.delegate(await world.caller(), body);
    return headers.get('x-error-code') ?? 'success';
  }

  it('pauses no wallet for readings of two solid blocks', async () => {
    await lend();
    lag(3);
    expect(await run()).toMatchObject({ ok: true, findings: [], paused: [] });
    expect(proxy.count(LENT)).toBe(4);
  });

  it('finds nothing by what another chain shows that answers at the URL from one moment to the next', async () => {
    await lend();
    proxy.after = ({ route, body }, answer) => {
      if (route === LENT) return '{}';
      return body['num'] === 0 ? ofAnotherChain(answer) : answer;
    };
    await expect(run()).rejects.toThrow('another chain');
    expect(await world.query(`select 1 from findings`)).toEqual([]);
    expect(await world.query(`select 1 from pool_wallets where state <> 'active'`)).toEqual([]);
  });

  it('believes no reading after which the solid chain is shorter than before', async () => {
    await lend();
    let readings = 0;
    proxy.after = ({ route }, answer) => {
      // The first look and three more: one for each solid block that a finding needs.
      if (route === LENT && ++readings <= 4) return '{}';
      const confirms = route === 'walletsolidity/getblock' && proxy.calls.at(-2)?.route === LENT;
      return confirms && readings > 1 && readings <= 4 ? first(answer) : answer;
    };
    expect(await run()).toMatchObject({ ok: true, findings: [], paused: [] });
  });

  it('lets a wallet take orders again when what it missed is there, with nothing lost', async () => {
    await lend();
    lag(1_000);
    expect(await run()).toMatchObject({ paused: ['pool'], resumed: [] });
    expect(await orderCode()).toBe('PAUSED');
    lag(0);
    // A run of the very moment in which the wallet was paused would find that too new.
    const resumes = async () => {
      const report = await run();
      return report.resumed.length > 0 && report;
    };
    expect(await until('a run that resumes', resumes)).toMatchObject({ ok: true, paused: [], resumed: ['pool'] });
    expect(await orderCode()).toBe('success');
    const changes = await world.query(
      `select service, before ->> 'state' as before, after ->> 'state' as after from audit_log
        where action = 'wallet.state' and subject = 'wallet pool' order by id`,
    );
    expect(changes).toEqual([
      { service: 'reconciler', before: 'active', after: 'paused' },
      { service: 'reconciler', before: 'paused', after: 'active' },
    ]);
  });

  it('leaves a wallet paused while an order under way may stand in for what it missed', async () => {
    const { receiver } = await lend();
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 1_000 });
    const body = { receiver_address: receiver, amount: 1 };
    const answered = world.delegate(await world.caller(), body);
    const { tx_id: txId } = await world.untilRow(
      `select tx_id from chain_transactions where state in ('saved', 'sent')`,
    );
    lag(1_000);
    expect(await run()).toMatchObject({ paused: ['pool'] });
    lag(0);
    // As much as the first order has lent may be the second one's.
    expect([await run(), await open()]).toMatchObject([{ findings: [], resumed: [] }, ['undelegation_foreign']]);
    await answered;
    await world.control('clock', { ms: 61_000 });
    await world.untilRow(`select 1 from chain_transactions where tx_id = $1 and state = 'dead'`, [txId]);
    expect([await run(), await open()]).toMatchObject([{ findings: [], resumed: ['pool'] }, []]);
  });

  it('leaves a wallet paused that an operator has paused meanwhile', async () => {
    await lend();
    lag(1_000);
    expect(await run()).toMatchObject({ paused: ['pool'] });
    await setState('paused');
    lag(0);
    expect(await run()).toMatchObject({ ok: true, resumed: [] });
    expect(await orderCode()).toBe('PAUSED');
  });

  it('leaves a wallet paused whose stake was really taken, after the order has ended short', async () => {
    const { id, receiver, stakeSun } = await lend();
    await takeBackByHand(world, receiver, stakeSun);
    expect(await run()).toMatchObject({ paused: ['pool'] });
    await world.query(
      `update delegations set stake_missing = true, last_error = 'the delegation is not there in full', reclaim_due_at = now() - interval '1 day'
        where id = $1 returning id`,
      [id],
    );
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: stakeSun });
    const { findings, resumed } = await run();
    expect([findings.map(({ kind }) => kind), resumed]).toEqual([['shortage'], []]);
    expect(await orderCode()).toBe('PAUSED');
  });

  /** The order's undelegation is signed, and no node has taken it yet. */
  async function signReclaim(id: string): Promise<void> {
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 1_000 });
    await world.query(
      `update delegations set reclaim_due_at = now() - interval '1 second' where id = $1 returning id`,
      [id],
    );
    await world.untilRow(
      `select 1 from chain_transactions where subject_id = $1 and purpose = 'reclaim' and state in ('saved', 'sent')`,
      [id],
    );
  }
  const sendReclaim = () => world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
  const open = async () => (await world.app.app.get(FindingRepository).list()).map(({ kind }) => kind);

  it('leaves a wallet paused whose stake was really taken, while the order is signed to be taken back and when it is refused', async () => {
    const { id, receiver, stakeSun } = await lend();
    await takeBackByHand(world, receiver, stakeSun);
    expect(await run()).toMatchObject({ paused: ['pool'] });
    await signReclaim(id);
    expect([await run(), await open()]).toMatchObject([{ findings: [], resumed: [] }, ['undelegation_foreign']]);
    // The undelegation dies of its age.
    await world.control('clock', { ms: 61_000 });
    await world.untilRow(`select 1 from delegations where id = $1 and last_error is not null`, [id]);
    expect([await run(), await open()]).toMatchObject([{ resumed: [] }, ['undelegation_foreign']]);
    expect(await orderCode()).toBe('PAUSED');
  });

  it('lets a wallet take orders again when the order whose stake it missed was taken back in full', async () => {
    const { id } = await lend();
    lag(1_000);
    expect(await run()).toMatchObject({ paused: ['pool'] });
    lag(0);
    await signReclaim(id);
    expect(await run()).toMatchObject({ ok: true, resumed: [] });
    await sendReclaim();
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
    expect([await run(), await open()]).toMatchObject([{ ok: true, resumed: ['pool'] }, []]);
  });

  it('leaves a wallet paused that lent to strangers, after that was taken back', async () => {
    await lend();
    const stranger = await world.receiver();
    await lendByHand(world, stranger, 5_000_000n);
    expect(await run()).toMatchObject({ paused: ['pool'], findings: [{ kind: 'delegation_foreign' }] });
    await takeBackByHand(world, stranger, 5_000_000n);
    await until('nothing found', async () => (await run()).findings.length === 0);
    expect(await orderCode()).toBe('PAUSED');
  });
});

describe('the reconciler, asking two nodes of which the first says that nothing is lent', () => {
  let world: OrderWorld;
  let nodes: [NodeProxy, NodeProxy];
  beforeEach(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return `${await nodes[0].open()},${await nodes[1].open()}`;
      },
    });
    const receiver = await world.receiver();
    const answer = await world.delegate(await world.caller(), { receiver_address: receiver, amount: 1 });
    const { stake_sun: stakeSun } = await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    lent = { receiver, stakeSun };
    nodes[0].after = ({ route }, said) => (route === LENT ? '{}' : said);
  });
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });
  let lent: { receiver: string; stakeSun: bigint };
  const run = () => world.app.app.get(Reconciler).run();

  it('pauses no wallet by its word', async () => {
    expect(await run()).toMatchObject({ ok: true, findings: [], paused: [] });
    expect(nodes[0].count(LENT)).toBeGreaterThan(0);
  });

  it('pauses the wallet when the second does not show it either', async () => {
    nodes[1].after = nodes[0].after;
    expect(await run()).toMatchObject({ paused: ['pool'] });
  });

  it('pauses the wallet when what the second shows is of a block before the reading of the first', async () => {
    nodes[1].after = ({ route, body }, answer) => {
      // A first look at the first node, and three readings: the second one is asked for its word after them.
      const isAsked = route === 'walletsolidity/getblock' && body['id_or_num'] === undefined;
      return isAsked && nodes[0].count(LENT) >= 4 ? first(answer) : answer;
    };
    expect(await run()).toMatchObject({ paused: ['pool'] });
  });

  it('pauses the wallet when somebody else has really taken it', async () => {
    await takeBackByHand(world, lent.receiver, lent.stakeSun);
    expect(await run()).toMatchObject({ paused: ['pool'] });
  });

  it('finds stake at a stranger that the second shows, whichever of them is asked in each block', async () => {
    const stranger = await world.receiver();
    await lendByHand(world, stranger, 5_000_000n);
    const found = { paused: ['pool'], findings: [{ kind: 'delegation_foreign', subject: `pool to ${stranger}` }] };
    expect(await run()).toMatchObject(found);
  });

  it('finds stake at a stranger that the second shows, where the first says so in the last block alone', async () => {
    const stranger = await world.receiver();
    await lendByHand(world, stranger, 5_000_000n);
    const toStranger = toHexAddress(stranger);
    let readings = 0;
    nodes[0].after = ({ route, body }, said) =>
      route === LENT && body['toAddress'] === toStranger && ++readings >= 3 ? '{}' : said;
    expect(await run()).toMatchObject({ paused: ['pool'], findings: [{ kind: 'delegation_foreign' }] });
    expect(readings).toBeGreaterThanOrEqual(3);
  });

  it('pauses the wallet by its word while the second is away', async () => {
    await nodes[1].refuse();
    // A run that finds it away fails; the next one asks it no more.
    await until('paused', async () => {
      await run().catch(rethrowOthers);
      return (await world.query(`select 1 from pool_wallets where name = 'pool' and state = 'paused'`)).length === 1;
    });
  });
});
