import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChainAdminService } from '../../../src/admin/chain-admin.service';
import { VerifiedChain } from '../../../src/chain/follower/verified-chain';
import { type LocalChain, startLocalChain } from '../../../src/local-chain/local-chain';
import { ChainAlarmsSchedule } from '../../../src/reconciliation/alarms/chain-alarms.schedule';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const WITNESSES = 4;

/** A private net that was set back to an older copy of its data and has gone on from there, longer than before. */
describe('guarantee 3: a longer branch that undoes a final block', () => {
  let data: string;
  let copy: string;
  let world: OrderWorld;
  let proxy: NodeProxy;
  let other: LocalChain;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'chain-'));
    copy = mkdtempSync(join(tmpdir(), 'chain-'));
    const before = await startLocalChain({ block: 'manual', witnesses: WITNESSES, control: true, data });
    await control(before, 'block', { count: 10 });
    await before.close();
    cpSync(data, copy, { recursive: true });
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: WITNESSES,
      data,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block', { count: 20 });
    other = await startLocalChain({ block: 'manual', witnesses: WITNESSES, control: true, data: copy });
    await control(other, 'block', { count: 24 });
  });
  afterAll(async () => {
    await world.close();
    await other.close();
    await proxy.close();
    for (const folder of [data, copy]) rmSync(folder, { recursive: true });
  });

  const control = (chain: LocalChain, name: string, body: object) =>
    fetch(`${chain.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  const chain = () => world.app.app.get(VerifiedChain);
  const ready = async () => (await (await fetch(`${world.app.url}/health/ready`)).json()) as Record<string, unknown>;
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
    expect((await (await fetch(`${restarted.url}/health/ready`)).json()) as object).toMatchObject({
      reason: expect.stringContaining('undoes final block'),
    });
    await world.stopInstance(restarted);

    const operator = { id: null, address: '127.0.0.1' };
    const accepted = await world.app.app.get(ChainAdminService).acceptBranch(operator);
    expect(accepted.replaced).toEqual({ number: final.number, id: final.id });
    await until('ready again', async () => (await ready())['status'] === 'ok');
    expect(chain().headers!.final!.id).not.toBe(final.id);
    const [entry] = await world.query(`select action, outcome from audit_log order by id desc limit 1`);
    expect(entry).toEqual({ action: 'chain.accept-branch', outcome: 'done' });
    await expect(world.app.app.get(ChainAdminService).acceptBranch(operator)).rejects.toMatchObject({
      code: 'chain.no-branch-refused',
    });
    expect(await world.query(`select 1 from chain_faults`)).toEqual([]);
  }, 120_000);
});
