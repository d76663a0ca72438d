import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChainAdminService } from '../../../src/admin/chain-admin.service';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { ChainIdentityRepository } from '../../../src/chain/tron/node/chain-identity.repository';
import { type LocalChain, startLocalChain } from '../../../local-chain/src/local-chain';
import { ChainAlarmsSchedule } from '../../../src/reconciliation/alarms/chain-alarms.schedule';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const WITNESSES = 4;
const WAITS = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query`;

/** A private net that was set back to an older copy of its data and has gone on from there, longer than before. */
describe('guarantee 3: a longer branch that undoes a final block', () => {
  let data: string;
  let copies: string[];
  let world: OrderWorld;
  let proxy: NodeProxy;
  let other: LocalChain;
  /** Instances whose nodes show the branch later. */
  let late: { proxy: NodeProxy; app: TestApp }[];
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'chain-'));
    copies = [mkdtempSync(join(tmpdir(), 'chain-')), mkdtempSync(join(tmpdir(), 'chain-'))];
    const before = await startLocalChain({ block: 'manual', witnesses: WITNESSES, control: true, data });
    await control(before, 'block', { count: 10 });
    await before.close();
    for (const copy of copies) cpSync(data, copy, { recursive: true });
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: WITNESSES,
      data,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block', { count: 20 });
    late = [await startLate(), await startLate()];
    other = await startOther(0, 24);
  });
  afterAll(async () => {
    await world.close();
    await other.close();
    await Promise.all([proxy, ...late.map((one) => one.proxy)].map((one) => one.close()));
    for (const folder of [data, ...copies]) rmSync(folder, { recursive: true });
  });

  const control = (chain: LocalChain, name: string, body: object) =>
    fetch(`${chain.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  async function startOther(n: number, count: number): Promise<LocalChain> {
    const chain = await startLocalChain({ block: 'manual', witnesses: WITNESSES, control: true, data: copies[n]! });
    await control(chain, 'block', { count });
    return chain;
  }
  const blockOf = async (chain: LocalChain, number: number) =>
    (await (
      await fetch(`${chain.url}/wallet/getblock`, {
        method: 'POST',
        body: JSON.stringify({ id_or_num: String(number) }),
      })
    ).json()) as { blockID: string; block_header: unknown };
  async function startLate(): Promise<{ proxy: NodeProxy; app: TestApp }> {
    const ofItsOwn = new NodeProxy(world.chain.url);
    return { proxy: ofItsOwn, app: await world.startInstance({ TRON_FULL_NODE_URLS: await ofItsOwn.open() }) };
  }
  const chain = (app = world.app) => app.app.get(VerifiedChain);
  const ready = async (app = world.app) =>
    (await (await fetch(`${app.url}/health/ready`)).json()) as Record<string, unknown>;
  const head = async () =>
    Number((await world.node('wallet/getblock'))['block_header'] && chain().headers?.head.number);

  it('is refused: readiness says so, a finding does, no order is taken; and taken once an operator accepts it', async () => {
    await until('the chain known', async () => (await head()) === 31);
    const final = chain().headers!.final!;
    proxy.target = other.url;
    await until('the branch refused', async () => (await ready())['status'] === 'unavailable');
    expect((await ready())['reason']).toContain(`undoes final block ${final.number}`);
    expect(chain().headers!.final).toEqual(final);
    const caller = await world.caller();
    const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect((await place()).headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect(await world.query('select 1 from delegations')).toEqual([]);
    await world.app.app.get(ChainAlarmsSchedule).keep();
    const open = `select kind, subject from findings where resolved_at is null`;
    expect(await world.query(open)).toEqual([{ kind: 'branch_refused', subject: 'chain' }]);

    // A restart forgets nothing.
    const restarted = await world.startInstance();
    const says = async () => (await (await fetch(`${restarted.url}/health/ready`)).json()) as { reason?: string };
    await until('the refusal', async () => (await says()).reason?.includes('undoes final block'));
    await world.stopInstance(restarted);

    const operator = { id: null, address: '127.0.0.1' };
    const accept = (blockId: string) => world.app.app.get(ChainAdminService).acceptBranch(blockId, operator);
    const [shown] = await world.query(`select parameters ->> 'head_id' as id from findings where resolved_at is null`);
    // Another block: one of the chain that is gone by, above its final one or not, or one of no chain.
    const { headers } = chain();
    for (const id of [headers!.head.id, headers!.final!.id, headers!.at(headers!.floor)!.id, 'ab'.repeat(32), 'x'])
      await expect(accept(id)).rejects.toMatchObject({ code: 'chain.other-branch' });
    expect(await world.query(`select 1 from chain_faults`)).toHaveLength(1);
    // An instance that was further has followed blocks which the branch does not reach yet.
    await world.query(`update witness_set set followed = jsonb_set(followed, '{number}', '1000000') returning id`);
    const [followed] = await world.query(`select version from witness_set`);
    // The branch has grown since the finding.
    await control(other, 'block', { count: 3 });
    const accepted = await accept(String(shown!['id']));
    expect(accepted.replaced).toEqual({ number: final.number, id: final.id });
    const [anew] = await world.query(
      `select version, coalesce((followed ->> 'number')::int, 0) < 1000000 as below from witness_set`,
    );
    expect(anew!['below']).toBe(true);
    expect(Number(anew!['version'])).toBeGreaterThan(Number(followed!['version']));
    await until('ready again', async () => (await ready())['status'] === 'ok');
    expect(chain().headers!.final!.id).not.toBe(final.id);
    const [entry] = await world.query(`select action, outcome from audit_log order by id desc limit 1`);
    expect(entry).toEqual({ action: 'chain.accept-branch', outcome: 'done' });
    await expect(accept(String(shown!['id']))).rejects.toMatchObject({
      code: 'chain.no-branch-refused',
    });
    expect(await world.query(`select 1 from chain_faults`)).toEqual([]);
  });

  it.each([
    ['sees it while its own final block is above the accepted one', 0, 10],
    ['goes on with the old branch for long', 1, 25],
  ])('once accepted, is gone by in an instance too that %s', async (_, n, blocks) => {
    const { app, proxy: ofLate } = late[n]!;
    await world.control('block', { count: blocks });
    const stored = async () =>
      (await world.query(`select final_number as number, final_id as id from chain_identity`))[0]!;
    if (blocks > 20) await until('it stopped', async () => (await ready(app))['status'] === 'unavailable');
    else await until('it on the old branch', () => Promise.resolve(chain(app).headers?.head.number === 31 + blocks));
    await control(other, 'block', { count: blocks + 8 });
    await until('the branch followed', () =>
      Promise.resolve(chain().headers!.head.number > (chain(app).headers?.head.number ?? 0)),
    );
    ofLate.target = other.url;
    await until('it on the accepted one', async () => {
      const isReady = (await ready(app))['status'] === 'ok';
      return isReady && chain(app).headers?.head.id === chain().headers!.head.id;
    });
    const { number, id } = await stored();
    const { block_header: header, blockID } = await blockOf(other, Number(number));
    expect([header === undefined, blockID]).toEqual([false, id]);
    expect(await world.query(`select 1 from chain_faults`)).toEqual([]);
  });

  it('once accepted, is gone by in an instance too that refuses it at that very moment', async () => {
    const [{ app, proxy: ofLate }] = late as [(typeof late)[0]];
    // Newer than the one that the database remembers, as one is only every 20 blocks, and no instance is about to have it remember one.
    const apps = [world.app, ...late.map((one) => one.app)];
    const sinceRemembered = (one: TestApp) => chain(one).headers!.final!.number - (chain(one).rememberedNumber ?? -20);
    const isRemembered = async () => {
      const [stored] = await world.query(`select final_number as number from chain_identity`);
      return Number(stored!['number']) >= chain(app).headers!.final!.number;
    };
    do {
      const before = chain(app).headers!.head.number;
      await control(other, 'block', { count: 1 });
      await until('one block more', async () => apps.every((one) => chain(one).headers?.head.number === before + 1));
    } while (apps.some((one) => sinceRemembered(one) >= 19) || (await isRemembered()));
    const {
      head: { number: height },
      final,
    } = chain(app).headers!;
    const third = await startOther(1, height);
    const accepted = await blockOf(third, final!.number - 1);
    const identity = world.app.app.get(ChainIdentityRepository);
    await world.app.sql.transaction(async (tx) => {
      const seen = (await identity.findFinal(tx))!;
      expect(await identity.acceptFinal({ number: final!.number - 1, id: accepted.blockID }, seen, tx)).toBe(true);
      ofLate.target = third.url;
      // It has read what was final before.
      await world.untilRow(`${WAITS} like 'update chain_identity%'`);
    });
    const { blockID: newest } = await blockOf(third, 10 + height + 1);
    await until('it on the accepted one', async () => {
      const isReady = (await ready(app))['status'] === 'ok';
      return isReady && chain(app).headers?.head.id === newest;
    });
    const [stored] = await world.query(`select final_number as number, final_id as id from chain_identity`);
    expect((await blockOf(third, Number(stored!['number']))).blockID).toBe(stored!['id']);
    await third.close();
  });
});
