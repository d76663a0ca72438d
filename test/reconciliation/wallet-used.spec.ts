import { FindingAdminService } from '../../src/admin/finding-admin.service';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { inEnglish, textsOf } from '../../src/findings/finding-text';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { stealthily } from '../support/by-hand';
import { editBlocks } from '../support/forged-blocks';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { until } from '../support/until';

const TRX = 1_000_000;
const OPERATOR = { id: null, address: 'test' };
interface SolidBlock {
  readonly block_header: { readonly raw_data: { readonly number: number; readonly timestamp: number } };
}
const BODIES = ['wallet/getblockbylimitnext', 'wallet/getblockbynum'];

describe('what a wallet did that the outbox does not know', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let stranger: string;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      env: { RECONCILE_EVERY: '24h' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await stopReconcilerTurns(world.app.app);
    stranger = await world.receiver();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    proxy.after = (_, answer) => answer;
    await readWallets();
    await reconciler().run('changed');
    for (const { id } of await open()) await acknowledge(id);
    for (const name of ['pool', 'activate']) await world.app.app.get(PoolWallets).setState(name, 'active');
  });

  const reconciler = () => world.app.app.get(Reconciler);
  const open = async () =>
    (await world.app.app.get(FindingRepository).list()).filter(({ kind }) => kind === 'wallet_used');
  const acknowledge = (id: bigint) =>
    world.app.app.get(FindingAdminService).acknowledge(OPERATOR, id, { note: 'it was me' });
  const states = async () =>
    Object.fromEntries(
      (await world.query(`select name, state from pool_wallets order by name`)).map(({ name, state }) => [name, state]),
    );
  /** As it is read every few minutes, or with orders. */
  async function readWallets(): Promise<void> {
    const solid = (await world.node('walletsolidity/getnowblock')) as unknown as SolidBlock;
    await until('a newer reading of each wallet', async () => {
      await world.tryToReadWallets();
      const older = `select 1 from wallet_views where newest_block < $1`;
      return (await world.query(older, [solid.block_header.raw_data.number])).length === 0;
    });
  }
  const sendTrx = (role: 'pool' | 'activate', trx: number) =>
    stealthily(world, role, (tronWeb, owner) => tronWeb.transactionBuilder.sendTrx(stranger, trx * TRX, owner));
  const lendBandwidth = (trx: number) =>
    stealthily(world, 'pool', (tronWeb, owner) =>
      tronWeb.transactionBuilder.delegateResource(trx * TRX, stranger, 'BANDWIDTH', owner, false),
    );
  const takeBandwidth = (trx: number) =>
    stealthily(world, 'pool', (tronWeb, owner) =>
      tronWeb.transactionBuilder.undelegateResource(trx * TRX, stranger, 'BANDWIDTH', owner),
    );

  it('is found by the audit at once, with txid, kind, time and receiver from the bytes, and pauses its wallet until it is acknowledged', async () => {
    const sent = await sendTrx('activate', 5_000);
    const lent = await lendBandwidth(900_000);
    const taken = await sendTrx('pool', 9_000);
    const { ok, findings } = await world.audit();
    expect(ok).toBe(false);
    const about = (wallet: string, txId: string, act: string, trx: number) => ({
      kind: 'wallet_used',
      subject: `${wallet} ${txId}`,
      parameters: expect.objectContaining({
        tx_id: txId,
        act,
        wallet,
        receiver: stranger,
        amount_sun: String(trx * TRX),
      }) as object,
    });
    const expected = [
      about('activate', sent, 'transfer', 5_000),
      about('pool', lent, 'delegation', 900_000),
      about('pool', taken, 'transfer', 9_000),
    ];
    expect(findings.toSorted((one, other) => (one.subject < other.subject ? -1 : 1))).toMatchObject(
      expected.toSorted((one, other) => (one.subject < other.subject ? -1 : 1)),
    );
    const info = await world.node('wallet/gettransactioninfobyid', { value: sent });
    const ofSent = findings.find(({ subject }) => subject.endsWith(sent))!;
    expect(ofSent.parameters['at']).toBe(new Date(Number(info['blockTimeStamp'])).toISOString());
    expect(ofSent.parameters['block']).toBe(String(info['blockNumber']));
    expect(inEnglish(ofSent).reason).toContain(`sent 5000 TRX to ${stranger}`);
    // It reads only.
    expect([await open(), await states()]).toEqual([[], { activate: 'active', pool: 'active' }]);

    await readWallets();
    const run = await reconciler().run('changed');
    expect(run).toMatchObject({ ok: false });
    expect(run.paused.toSorted()).toEqual(['activate', 'pool']);
    const kept = await open();
    expect(kept).toHaveLength(3);
    for (const row of kept) expect(textsOf(row, 'zh').reason).not.toHaveProperty('lang');
    expect(await states()).toEqual({ activate: 'paused', pool: 'paused' });

    // Kept: another process, or this one later, has nothing new to find, and says it all the same.
    const second = await world.startInstance({}, false);
    const again = await second.app.get(Reconciler).run('changed');
    expect([again.ok, again.paused, again.findings.length]).toEqual([false, [], 3]);
    await world.stopInstance(second);

    await takeBandwidth(900_000);
    await readWallets();
    await reconciler().run('changed');
    const [activate, ...ofPool] = (await open()).toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
    expect(ofPool).toHaveLength(3);
    await acknowledge(activate!.id);
    expect(await states()).toEqual({ activate: 'active', pool: 'paused' });
    for (const { id } of ofPool.slice(1)) await acknowledge(id);
    expect(await states()).toMatchObject({ pool: 'paused' });
    await acknowledge(ofPool[0]!.id);
    expect(await states()).toEqual({ activate: 'active', pool: 'active' });
    expect(await world.audit()).toMatchObject({ ok: true });

    // The same blocks, looked through again.
    await world.query(`update wallet_views set used_block = 1, explained_block = 0 returning 1`);
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ ok: true, paused: [] });
    expect(await states()).toEqual({ activate: 'active', pool: 'active' });
  });

  it('stays paused when an operator has paused it too, before or after', async () => {
    await world.app.app.get(PoolWallets).setState('pool', 'paused');
    await sendTrx('pool', 1);
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: [] });
    const [first] = await open();
    await acknowledge(first!.id);
    expect(await states()).toMatchObject({ pool: 'paused' });

    await world.app.app.get(PoolWallets).setState('pool', 'active');
    await sendTrx('pool', 1);
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['pool'] });
    await world.app.app.get(PoolWallets).setState('pool', 'paused');
    const [second] = await open();
    await acknowledge(second!.id);
    expect(await states()).toMatchObject({ pool: 'paused' });
  });

  it('is taken for explained by the finding that paused the wallet alone, and while nothing else is open about it', async () => {
    const insert = (kind: string, type: string, receiver: string | null) =>
      world.query(
        `insert into findings (kind, subject, subject_type, subject_id, wallet_id, receiver, reason, next_step, amount_sun)
         select $1, 'by hand', $2, 'by hand', id, $3, '', '', 0 from pool_wallets where name = 'activate' returning id`,
        [kind, type, receiver],
      );
    const resolve = () =>
      world.query(
        `update findings set resolved_at = now() where subject = 'by hand' and resolved_at is null returning 1`,
      );
    const paused = async () => {
      await sendTrx('activate', 1);
      await readWallets();
      expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
      return (await open()).find(({ action_code: action }) => action === 'wallet_paused')!.id;
    };
    // At a receiver for which a use was acknowledged before, too.
    await acknowledge(await paused());
    expect(await states()).toMatchObject({ activate: 'active' });
    for (const [kind, type, receiver] of [
      ['delegation_foreign', 'delegated_resource', stranger],
      ['wallet_used', 'wallet', null],
    ] as const) {
      const id = await paused();
      await insert(kind, type, receiver);
      await acknowledge(id);
      expect([kind, await states()]).toMatchObject([kind, { activate: 'paused' }]);
      await resolve();
      await world.app.app.get(PoolWallets).setState('activate', 'active');
    }

    const id = await paused();
    await world.query(`update findings set action_code = null where id = $1 returning 1`, [id]);
    await acknowledge(id);
    expect(await states()).toMatchObject({ activate: 'paused' });
  });

  it('pauses by kind: unfreezing and new permissions do, freezing is noted', async () => {
    const build = (tronWeb: Parameters<Parameters<typeof stealthily>[2]>[0]) => tronWeb.transactionBuilder;
    await stealthily(world, 'pool', (tronWeb, owner) => build(tronWeb).freezeBalanceV2(5 * TRX, 'ENERGY', owner));
    await readWallets();
    const noted = async () =>
      (await world.app.app.get(FindingRepository).list({ resolved: true }))
        .filter(({ kind }) => kind === 'wallet_act')
        .map(({ parameters, resolved_at: at }) => [parameters!['act'], typeof at]);
    expect(await world.audit()).toMatchObject({ ok: true });
    expect(await reconciler().run('changed')).toMatchObject({ ok: true, paused: [] });
    expect([await open(), await noted()]).toEqual([[], [['freezing', 'string']]]);
    // The same blocks, looked through again.
    await world.query(`update wallet_views set used_block = 1, explained_block = 0 returning 1`);
    await readWallets();
    await reconciler().run('changed');
    expect([await open(), await noted()]).toEqual([[], [['freezing', 'string']]]);

    await stealthily(world, 'pool', (tronWeb, owner) => build(tronWeb).unfreezeBalanceV2(5 * TRX, 'ENERGY', owner));
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['pool'] });

    const permission = (owner: string) => ({
      type: 0,
      permission_name: 'owner',
      threshold: 1,
      keys: [{ address: owner, weight: 1 }],
    });
    const active = (owner: string) => ({
      ...permission(owner),
      type: 2,
      permission_name: 'energy',
      operations: '0000000000000006000000000000000000000000000000000000000000000000',
    });
    await stealthily(world, 'activate', (tronWeb, owner) =>
      build(tronWeb).updateAccountPermissions(owner, permission(owner), undefined, [active(owner)]),
    );
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
    expect((await open()).map(({ parameters }) => String(parameters!['act'])).toSorted()).toEqual([
      'permission_change',
      'unfreezing',
    ]);
  });

  it('is nothing that orders, activations and reclaims did, and no block is read for them once they are over', async () => {
    const caller = await world.caller({ balance: 100 });
    const bodies = [
      { receiver_address: await world.receiver(), amount: 1 },
      { receiver_address: await world.receiver(false), amount: 1, activate_address: true },
    ];
    const ids: string[] = [];
    for (const body of bodies) {
      const answer = await world.delegate(caller, body);
      expect(answer.status).toBe(200);
      ids.push(answer.headers.get('x-delegation-id')!);
    }
    for (const id of ids) await world.untilState(id, 'delegated');
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ ok: true });
    // The database's clock is ahead of the blocks that are final: by as much as finality, or a node, is behind.
    await world.query(`update wallet_views set explained_at = explained_at + interval '1 hour' returning 1`);
    await world.query(
      `update delegations set reclaim_due_at = now() - interval '1 day' where id = any($1) returning id`,
      [ids],
    );
    for (const id of ids) await world.untilState(id, 'reclaimed');
    await readWallets();
    proxy.calls.length = 0;
    expect(await reconciler().run('changed')).toMatchObject({ ok: true, paused: [] });
    // The genesis block is compared now and then.
    expect(proxy.calls.filter(({ route, body }) => BODIES.includes(route) && body['num'] !== 0)).toEqual([]);
    const [view] = await world.query(`select bool_and(explained_block = newest_block) as all from wallet_views`);
    expect(view).toEqual({ all: true });
  });

  it('is nothing of ours below a reading that did not show it, whose account was older than the height beside it', async () => {
    const caller = await world.caller({ balance: 100 });
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ ok: true });
    const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
    const answer = await world.delegate(caller, body);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    const { block_header: header } = (await world.node('walletsolidity/getnowblock')) as unknown as SolidBlock;
    await world.query(`update wallet_views set explained_block = $1, explained_until = $1 returning 1`, [
      header.raw_data.number,
    ]);
    await world.control('block', { count: 10 });
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ ok: true, paused: [] });
    expect(await open()).toEqual([]);
  });

  it('is found among our own, also where the balance says nothing, by blocks that are read anyway', async () => {
    const caller = await world.caller({ balance: 100 });
    const kept = await world.query(`select used_block from wallet_views where used_block is not null`);
    expect(kept).toEqual([]);
    // Blocks are read in full while it is open.
    await world.stopFinality();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
    const sent = sendTrx('activate', 1);
    await world.untilRow(`select 1 from wallet_views where used_block is not null`);
    await world.resumeFinality();
    const txId = await sent;
    // What was read anyway is all that tells: the reading is taken for explained.
    await readWallets();
    await world.query(
      `update wallet_views set explained = newest where wallet_id = (select id from pool_wallets where name = 'activate') returning 1`,
    );
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
    expect((await open()).map(({ subject }) => subject)).toEqual([`activate ${txId}`]);
    expect(await world.query(`select 1 from wallet_views where used_block is not null`)).toEqual([]);
  });

  it('is looked for in all blocks since the last explained reading, however many those are', async () => {
    const txId = await sendTrx('activate', 2);
    await world.control('block', { count: 70 });
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
    expect((await open()).map(({ subject }) => subject)).toEqual([`activate ${txId}`]);
  });

  it('pauses its wallet as soon as it is found, while older blocks are still looked for, of whichever wallet', async () => {
    await world.control('block', { count: 40 });
    const solid = (await world.node('walletsolidity/getnowblock')) as unknown as SolidBlock;
    const lowest = solid.block_header.raw_data.number;
    await world.query(`update wallet_views set explained_block = explained_block - 5 returning 1`);
    const first = await sendTrx('activate', 2);
    await world.control('block', { count: 40 });
    await readWallets();
    proxy.status = ({ route, body }) => {
      const from = Number(body['startNum'] ?? body['num'] ?? body['id_or_num']);
      return [...BODIES, 'wallet/getblock'].includes(route) && from > 0 && from < lowest - 1 ? 503 : undefined;
    };
    try {
      const { ok, findings } = await world.audit();
      expect(ok).toBe(false);
      expect(findings.map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual([
        'wallet_unread activate',
        `wallet_used activate ${first}`,
      ]);
      // It is not over, and counts as no success.
      await expect(reconciler().run('changed')).rejects.toThrow(/no node answers/);
      expect(await states()).toEqual({ activate: 'paused', pool: 'active' });
      const second = await sendTrx('pool', 2);
      await world.control('block', { count: 40 });
      await readWallets();
      await expect(reconciler().run('changed')).rejects.toThrow(/no node answers/);
      expect(await states()).toEqual({ activate: 'paused', pool: 'paused' });
      expect((await open()).map(({ subject }) => subject).toSorted()).toEqual(
        [`activate ${first}`, `pool ${second}`].toSorted(),
      );
    } finally {
      proxy.status = () => undefined;
    }
    await until('a run that comes to an end', () =>
      reconciler()
        .run('changed')
        .catch(() => null),
    );
    expect(await open()).toHaveLength(2);
  });

  it('is found below a reading that did not show it yet, and never below the first one', async () => {
    const early = await sendTrx('activate', 3);
    const { block_header: now } = (await world.node('walletsolidity/getnowblock')) as unknown as SolidBlock;
    await until('the wallet is watched from now on', async () => {
      await world.query(`delete from wallet_views`);
      await readWallets();
      // A reading that was under way may be of a block before.
      const older = `select 1 from wallet_views where first_block < $1`;
      return (await world.query(older, [now.raw_data.number])).length === 0;
    });
    const txId = await sendTrx('activate', 2);
    // As if the heads had come from one node behind an address, and the account from another.
    const { block_header: header } = (await world.node('walletsolidity/getnowblock')) as unknown as SolidBlock;
    await world.query(`update wallet_views set explained_block = $1, explained_until = $1 returning 1`, [
      header.raw_data.number,
    ]);
    await world.control('block', { count: 10 });
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
    const found = (await open()).map(({ subject }) => subject);
    expect([found, found.includes(`activate ${early}`)]).toEqual([[`activate ${txId}`], false]);
  });

  it('is a finding with the difference, and pauses nothing, when no block explains it', async () => {
    // What the tests before have left is explained first.
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ ok: true });
    const [row] = await world.query(
      `select explained ->> 'balanceSun' as sun from wallet_views v join pool_wallets w on w.id = v.wallet_id where w.name = 'activate'`,
    );
    const before = BigInt(String(row!['sun']));
    const less = before - 7_000_000n;
    proxy.after = ({ route }, answer) =>
      route === 'walletsolidity/getaccount'
        ? answer.replace(new RegExp(`("balance":\\s*)${before}\\b`), `$1${less}`)
        : answer;
    // Else a reading of before would do.
    await world.control('block', { count: 10 });
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ ok: false, paused: [] });
    const [found] = await open();
    expect(found).toMatchObject({ reason_code: 'wallet_changed' });
    expect(found!.subject).toMatch(/^activate blocks \d+-\d+$/);
    expect(textsOf(found!, 'en').reason.text).toMatch(
      /^no transaction in blocks \d+ to \d+ explains what changed: balance in TRX from [\d.]+ to [\d.]+$/,
    );
    expect(await reconciler().run('changed')).toMatchObject({ ok: false });
    expect(await open()).toHaveLength(1);

    // Less again: both stay, each with what was then.
    proxy.after = ({ route }, answer) =>
      route === 'walletsolidity/getaccount'
        ? answer.replace(new RegExp(`("balance":\\s*)${before}\\b`), `$1${less - 7_000_000n}`)
        : answer;
    await world.control('block', { count: 10 });
    await readWallets();
    await reconciler().run('changed');
    const changes = (await open()).map(({ parameters }) => String(parameters!['changed']));
    expect(changes.toSorted()).toEqual(
      [`balance ${before} ${less}`, `balance ${less} ${less - 7_000_000n}`].toSorted(),
    );
  });

  it('is a difference as well where no node shows one of the blocks, whatever was found in the others', async () => {
    const hidden = new Set<number>();
    const hide = async (txId: string) => {
      const info = await world.node('wallet/gettransactioninfobyid', { value: txId });
      hidden.add(Number(info['blockNumber']));
      return Number(info['blockNumber']);
    };
    proxy.after = ({ route }, answer) =>
      BODIES.includes(route)
        ? editBlocks(answer, (block) =>
            hidden.has(block.block_header.raw_data.number) ? { ...block, transactions: [] } : block,
          )
        : answer;
    await hide(await sendTrx('activate', 3));
    const shown = await sendTrx('activate', 2);
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
    const of = ({ reason_code: code, subject }: { readonly reason_code: string | null; readonly subject: string }) =>
      `${code} ${subject}`;
    expect((await open()).map(of).toSorted()).toEqual([
      expect.stringMatching(/^wallet_changed activate blocks/),
      `wallet_used activate ${shown}`,
    ]);
    // The difference paused nothing, and is acknowledged last.
    for (const { id } of (await open()).toSorted((one, other) => (of(one) < of(other) ? 1 : -1))) {
      expect(await states()).toMatchObject({ activate: 'paused' });
      await acknowledge(id);
    }
    expect(await states()).toMatchObject({ activate: 'active' });

    // Where nothing but a block that was read anyway has shown it.
    const block = await hide(await sendTrx('pool', 1));
    await readWallets();
    await world.query(
      `update wallet_views set explained = newest, used_block = $1
        where wallet_id = (select id from pool_wallets where name = 'pool') returning 1`,
      [block],
    );
    expect(await reconciler().run('changed')).toMatchObject({ paused: [] });
    const ofPool = (await open()).find(({ subject }) => subject.startsWith('pool'))!;
    expect(textsOf(ofPool, 'en').reason.text).toMatch(
      new RegExp(
        `block of the last transaction that this service did not make from \\d+ to ${block}; no node shows 1 block of them$`,
      ),
    );
  });

  describe('while rows may be missing', () => {
    let comparedFrom: unknown;
    beforeEach(async () => {
      const [identity] = await world.query(`select compared_from from database_identity`);
      comparedFrom = identity!['compared_from'];
    });
    afterEach(() => compareFrom(comparedFrom));
    const compareFrom = (at: unknown) =>
      world.query(`update database_identity set compared_from = $1 returning 1`, [at]);
    const inADay = () => new Date(Date.now() + 86_400_000);
    const lendEnergy = () =>
      stealthily(world, 'pool', (tronWeb, owner) =>
        tronWeb.transactionBuilder.delegateResource(5 * TRX, stranger, 'ENERGY', owner, false),
      );
    const takeEnergy = () =>
      stealthily(world, 'pool', (tronWeb, owner) =>
        tronWeb.transactionBuilder.undelegateResource(5 * TRX, stranger, 'ENERGY', owner),
      );
    async function pausedBy(act: Promise<unknown>): Promise<readonly string[]> {
      await act;
      await readWallets();
      return (await reconciler().run('changed')).paused;
    }

    it('what the service signs itself is kept and pauses nothing, and all else pauses', async () => {
      await compareFrom(inADay());
      expect(await pausedBy(sendTrx('activate', 1))).toEqual([]);
      expect(await pausedBy(lendEnergy())).toEqual([]);
      expect(await pausedBy(takeEnergy())).toEqual([]);
      expect((await open()).map(({ parameters }) => String(parameters!['act'])).toSorted()).toEqual([
        'delegation',
        'transfer',
        'undelegation',
      ]);
      expect(await pausedBy(sendTrx('activate', 2))).toEqual(['activate']);
      expect(await pausedBy(sendTrx('pool', 1))).toEqual(['pool']);
    });

    it('bandwidth that is lent pauses', async () => {
      await compareFrom(inADay());
      expect(await pausedBy(lendBandwidth(5))).toEqual(['pool']);
    });

    it('what was done after the comparison began pauses', async () => {
      const solid = (await world.node('walletsolidity/getnowblock')) as unknown as SolidBlock;
      await compareFrom(new Date(solid.block_header.raw_data.timestamp));
      expect(await pausedBy(sendTrx('activate', 1))).toEqual(['activate']);
    });
  });
});
