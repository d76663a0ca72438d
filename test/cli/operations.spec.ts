import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { MetricsEndpoint } from '../../src/telemetry/metrics/metrics.endpoint';
import { takeBackByHand } from '../support/by-hand';
import { OrderWorld } from '../support/order-world';
import { SharedCommandLine } from '../support/shared-command-line';
import { until } from '../support/until';

describe('the commands of operations', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 300, env: { METRICS_PORT: '0' } });
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(() => Promise.all([cli.close(), world.close()]));

  it('orders:pause and orders:resume hold for a running instance immediately', async () => {
    const caller = await world.caller({ balance: 10 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    expect(await cli.json('orders:pause', '--reason', 'test')).toMatchObject({ paused: true, reason: 'test' });
    expect((await world.delegate(caller, body)).headers.get('x-error-code')).toBe('PAUSED');
    expect(await cli.json('orders:resume')).toMatchObject({ paused: false });
    const answer = await world.delegate(caller, body);
    expect(answer.status).toBe(200);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
  });

  it('reclaims:pause and reclaims:resume hold for a running instance immediately, and for reclaims alone', async () => {
    const caller = await world.caller({ balance: 10 });
    const place = async () =>
      world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }).then(({ headers }) => headers);
    const id = (await place()).get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    const off = { paused: true, reason: 'test', since: expect.any(String) as string };
    const on = { paused: false, reason: null, since: null };
    expect(await cli.json('reclaims:pause', '--reason', 'test')).toEqual(off);
    expect([await cli.json('reclaims:state'), await cli.json('orders:state')]).toEqual([off, on]);
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      id,
    ]);
    expect(await world.sweepOnce()).toEqual({ due: 1, sent: 0, failed: 0 });
    const run = await cli.run('reclaim:run', '--json');
    expect(JSON.parse(run.stdout)).toEqual({ due: 1, sent: 0, failed: 0 });
    expect(run.stderr).toContain('reclaims are paused');
    const other = (await place()).get('x-delegation-id')!;
    await world.untilState(other, 'delegated');
    expect(await cli.json('reclaims:resume')).toEqual(on);
    await world.untilState(id, 'reclaimed');
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      other,
    ]);
    await world.untilState(other, 'reclaimed');
  });

  it('pool:forecast shows what comes back when', async () => {
    type Row = { after: string; due_orders: number; returned_sun: string; least_sun: string; most_sun: string };
    const rows = await cli.json<Row[]>('pool:forecast');
    expect(rows.map(({ after }) => after)).toEqual(['0m', '10m', '30m', '60m', '180m', '360m', '720m', '1440m']);
    const day = rows.at(-1)!;
    expect(BigInt(day.most_sun)).toBeGreaterThanOrEqual(BigInt(day.least_sun));
    expect(BigInt(day.most_sun)).toBeGreaterThan(BigInt(rows[0]!.most_sun));
    expect(rows.map((row) => row.due_orders)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  });

  it('notify:test fails without a channel to test', async () => {
    const { exitCode, stderr } = await cli.run('notify:test');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('No channel is set up; nothing was sent.')]);
  });

  it('reconcile and finding:list agree', async () => {
    expect(await cli.json('reconcile')).toMatchObject({ ok: true, paused: [], mended: 0 });
    expect(await cli.json('finding:list')).toEqual([]);
  });

  it('audit says that no node could be asked, and exits with 1', async () => {
    const away = { ...cli.env, TRON_FULL_NODE_URLS: 'http://127.0.0.1:9' };
    const { exitCode, stdout } = await cli.runWith(away, 'audit', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, checked: {}, findings: [{ kind: 'node_unavailable' }] });
    expect(exitCode).toBe(1);
  });

  it('finding:acknowledge ends a shortage for audit and alarm, up to its amount', async () => {
    const receiver = await world.receiver();
    const answer = await world.delegate(await world.caller(), { receiver_address: receiver, amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    await takeBackByHand(world, receiver, 2_000_000n);
    await world.query(
      `update delegations set stake_missing = true, last_error = 'the delegation is not there in full', reclaim_due_at = now() - interval '1 day'
        where id = $1 returning id`,
      [id],
    );
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 2_000_000n });

    type Audited = { ok: boolean; findings: { id: string | null; kind: string; next_step: string }[] };
    const audit = async () => {
      const { exitCode, stdout } = await cli.run('audit', '--json');
      return { exitCode, ...(JSON.parse(stdout) as Audited) };
    };
    // No run has stored it yet, so there is nothing to acknowledge, and what to do for that is said.
    const unstored = await audit();
    expect(unstored).toMatchObject({ exitCode: 1, ok: false, findings: [{ id: null, kind: 'shortage' }] });
    expect(unstored.findings[0]!.next_step).toMatch(/reconcile gives it an id.*finding:acknowledge/);
    const reconciled = await cli.run('reconcile', '--json');
    const finding = (JSON.parse(reconciled.stdout) as Audited).findings[0]!.id!;
    expect([reconciled.exitCode, finding]).toEqual([1, expect.stringMatching(/^\d+$/)]);
    expect((await audit()).findings[0]!.id).toBe(finding);
    /** What the rows say is counted for a few seconds at most. */
    const untilAlarm = (rings: boolean) =>
      until(`an alarm that ${rings ? 'rings' : 'has stopped'}`, async () => {
        const text = await (await fetch(world.app.app.get(MetricsEndpoint).url!)).text();
        return text.includes('energy_findings{kind="shortage"} 1') === rings;
      });
    await untilAlarm(true);

    const note = 'the old key, replaced on Monday';
    expect(await cli.json('finding:acknowledge', finding, '--note', note)).toMatchObject({
      id: finding,
      kind: 'shortage',
      subject: `delegation ${id}`,
      acknowledged_at: expect.stringMatching(/^20.*Z$/) as string,
      note,
    });
    expect(await audit()).toMatchObject({ exitCode: 0, ok: true });
    await untilAlarm(false);
    const run = () => world.app.app.get(Reconciler).run();
    const open = async () => (await world.app.app.get(FindingRepository).list()).map((found) => String(found.id));
    expect([await run(), await open()]).toMatchObject([{ ok: true, findings: [] }, []]);
    const resolved = await cli.json<{ kind: string }[]>('finding:list', '--resolved');
    expect(resolved.filter(({ kind }) => kind === 'shortage')).toMatchObject([{ id: finding, note }]);

    // As if one sun less had been missing then: more is missing than was acknowledged.
    await world.query(`update findings set amount_sun = amount_sun - 1 where id = $1 returning id`, [finding]);
    expect(await run()).toMatchObject({ ok: false, findings: [{ kind: 'shortage' }] });
    const [larger] = await open();
    expect(larger).not.toBe(finding);
    await untilAlarm(true);
    await cli.json('finding:acknowledge', larger!, '--note', note);
    expect([await run(), await open()]).toMatchObject([{ ok: true }, []]);
  });

  it.each([
    { args: ['1'], exitCode: 2, says: '--note' },
    { args: ['1', '--note', ' '], exitCode: 2, says: '--note must not be empty' },
    { args: ['one', '--note', 'x'], exitCode: 2, says: 'an id is a whole number' },
    { args: ['777', '--note', 'x'], exitCode: 1, says: 'unknown finding 777' },
  ])('finding:acknowledge $args exits with $exitCode', async ({ args, exitCode, says }) => {
    const refused = await cli.run('finding:acknowledge', ...args);
    expect(refused).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(says) as string });
  });

  it('finding:acknowledge is for what nothing puts right, and for what is open', async () => {
    const insert = `insert into findings (kind, subject, reason, next_step, amount_sun, resolved_at)
                    values ($1, $2, 'r', 'n', 5, $3) returning id::text`;
    for (const [kind, resolvedAt] of [
      ['ledger_sum', null],
      ['shortage', new Date()],
    ]) {
      const [row] = await world.query(insert, [kind, `user ${String(kind)}`, resolvedAt]);
      const refused = await cli.run('finding:acknowledge', String(row!['id']), '--note', 'x');
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toMatch(kind === 'shortage' ? /is already resolved/ : /cannot be acknowledged/);
    }
    expect(await world.query('select 1 from findings where acknowledged_at is not null and note is null')).toEqual([]);
  });
});
