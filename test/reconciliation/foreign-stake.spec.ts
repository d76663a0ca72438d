import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { trxLiteral } from '../../src/common/money/sun';
import { inEnglish } from '../../src/findings/finding-text';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { lendByHand, takeBackByHand } from '../support/by-hand';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

/** As many blocks as five minutes of chain time have. */
const LOCK_BLOCKS = 100;
const LOCK_MS = 300_000;

describe('stake that somebody else with the key has lent', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 200, env: { ANSWER_TIMEOUT: '1s' } });
  });
  afterAll(() => world.close());

  const run = () => world.app.app.get(Reconciler).run();
  const resume = () => world.app.app.get(PoolWallets).setState('pool', 'active');
  const of = (receiver: string) => ({ kind: 'delegation_foreign', subject: `pool to ${receiver}` });

  async function lend(receiver: string): Promise<{ id: string; stakeSun: bigint }> {
    const caller = await world.caller();
    // Until the follower has seen that time was moved on, an order would be signed as expired.
    const id = await until('an order goes through', async () => {
      const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
      return answer.status === 200 && answer.headers.get('x-delegation-id');
    });
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    return { id, stakeSun };
  }

  async function takeBack(id: string): Promise<void> {
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      id,
    ]);
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
  }

  describe('and locked', () => {
    it('is found at a stranger, with the time until which it is locked, and its wallet takes no more orders', async () => {
      const stranger = await world.receiver();
      await lendByHand(world, stranger, 5_000_000n, LOCK_BLOCKS);
      const { findings, paused } = await run();
      expect(findings).toEqual([expect.objectContaining(of(stranger))]);
      expect(inEnglish(findings[0]!).reason).toMatch(
        /^the chain shows 0 TRX delegated, but the orders account for at most 0; 5 TRX more are locked until 20\d\d-[\dT:.-]+Z$/,
      );
      expect(inEnglish(findings[0]!).next_step).toContain('rotate the key');
      expect(paused).toEqual(['pool']);

      await world.control('clock', { ms: LOCK_MS });
      await world.control('block', { count: 6 });
      const later = await run();
      expect(inEnglish(later.findings[0]!).reason).toMatch(/; 5 TRX more were locked until \S+ and can be taken back$/);
      await takeBackByHand(world, stranger, 5_000_000n);
      expect(await run()).toMatchObject({ ok: true, findings: [] });
      await resume();
    });

    it('is found beside the stake of an order, which is not short of it', async () => {
      const receiver = await world.receiver();
      const { stakeSun } = await lend(receiver);
      await lendByHand(world, receiver, 5_000_000n, LOCK_BLOCKS);
      const { findings } = await world.audit();
      expect(findings).toEqual([expect.objectContaining(of(receiver))]);
      expect(inEnglish(findings[0]!).reason).toContain(
        `shows ${trxLiteral(stakeSun)} TRX delegated, but the orders account for at most ${trxLiteral(stakeSun)}; 5`,
      );
      await world.control('clock', { ms: LOCK_MS });
      await world.control('block', { count: 6 });
      await takeBackByHand(world, receiver, 5_000_000n);
      expect(await world.audit()).toMatchObject({ ok: true });
    });

    it('is not taken for the stake of an order that it stands in for', async () => {
      const receiver = await world.receiver();
      const { id, stakeSun } = await lend(receiver);
      await takeBackByHand(world, receiver, stakeSun);
      await lendByHand(world, receiver, stakeSun, LOCK_BLOCKS);
      const { findings } = await world.audit();
      expect(findings.map(({ kind }) => kind).toSorted()).toEqual(['delegation_foreign', 'undelegation_foreign']);
      // Past its time it can be taken back for the order; that somebody else has signed it still shows.
      await world.control('clock', { ms: LOCK_MS });
      await world.control('block', { count: 6 });
      expect((await world.audit()).findings).toEqual([expect.objectContaining(of(receiver))]);
      await takeBack(id);
      expect(await world.audit()).toMatchObject({ ok: true });
    });
  });

  describe('over which an operator has resumed its wallet', () => {
    const findings = async () =>
      (await world.app.app.get(FindingRepository).list()).map(({ id, kind }) => ({ id, kind }));
    const state = async () => (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'pool')!.state;
    const busy = (kind: 'busy' | 'none') =>
      world.control('fault', { route: 'wallet/broadcasttransaction', kind, count: 1_000 });

    /** An order whose delegation a node has taken and forgotten: it may be in a block at any moment. */
    async function placeUnsent(receiver: string): Promise<string> {
      const route = 'wallet/broadcasttransaction';
      await world.control('fault', { route, kind: 'accept-then-drop', count: 1 });
      await busy('busy');
      const answer = await world.delegate(await world.caller(), { receiver_address: receiver, amount: 1 });
      expect([answer.status, answer.headers.get('x-delegation-state')]).toEqual([200, 'accepted']);
      return answer.headers.get('x-delegation-id')!;
    }

    it('pauses it once, whatever our own orders to that receiver do, and again when it grows', async () => {
      const receiver = await world.receiver();
      await lendByHand(world, receiver, 5_000_000n);
      expect(await run()).toMatchObject({ paused: ['pool'] });
      const found = await findings();
      expect(found).toMatchObject([{ kind: 'delegation_foreign' }]);
      await resume();

      const id = await placeUnsent(receiver);
      // The stake that is there may be the order's by now: no reading can tell, so the finding is neither gone nor new.
      expect(await run()).toMatchObject({ findings: [], paused: [] });
      expect(await findings()).toEqual(found);
      await busy('none');
      await world.untilState(id, 'delegated');
      expect(await run()).toMatchObject({ findings: [of(receiver)], paused: [] });
      await takeBack(id);
      expect(await run()).toMatchObject({ findings: [of(receiver)], paused: [] });
      expect([await findings(), await state()]).toEqual([found, 'active']);

      await lendByHand(world, receiver, 1_000_000n);
      expect(await run()).toMatchObject({ findings: [of(receiver)], paused: ['pool'] });
      await takeBackByHand(world, receiver, 6_000_000n);
      expect(await run()).toMatchObject({ ok: true });
      await resume();
      // Gone is gone: the same amount once more is new.
      await lendByHand(world, receiver, 5_000_000n);
      expect(await run()).toMatchObject({ paused: ['pool'] });
      await takeBackByHand(world, receiver, 5_000_000n);
      expect(await run()).toMatchObject({ ok: true });
      await resume();
    });

    it('does not pause it by another name, when the stake is as large as that of an order', async () => {
      const { stakeSun } = await lend(await world.receiver());
      const receiver = await world.receiver();
      await lendByHand(world, receiver, stakeSun);
      expect(await run()).toMatchObject({ paused: ['pool'], findings: [{ kind: 'delegation_foreign' }] });
      await resume();
      const { id } = await lend(receiver);
      expect(await run()).toMatchObject({ paused: [], findings: [{ kind: 'delegation_double' }] });
      await takeBack(id);
      expect(await run()).toMatchObject({ paused: [], findings: [{ kind: 'stake_not_released' }] });
      await takeBackByHand(world, receiver, stakeSun);
      expect(await run()).toMatchObject({ ok: true });
      expect([await findings(), await state()]).toEqual([[], 'active']);
    });

    /** A run that read the chain before `change`, and ends after another run has found it and an operator has resumed the wallet. */
    async function runAcross(change: () => Promise<unknown>): Promise<void> {
      // A row to look at, in whose batch the other run comes.
      await world.caller();
      let isFirst = true;
      const { paused } = await world.app.app.get(Reconciler).run('whole', undefined, async () => {
        if (!isFirst) return;
        isFirst = false;
        await change();
        expect(await run()).toMatchObject({ paused: ['pool'] });
        await resume();
      });
      expect([isFirst, paused]).toEqual([false, []]);
    }

    it('does not pause it again for stake that grew while an earlier run, which had seen none, was still under way', async () => {
      const receiver = await world.receiver();
      await lendByHand(world, receiver, 5_000_000n);
      expect(await run()).toMatchObject({ paused: ['pool'] });
      await resume();
      await takeBackByHand(world, receiver, 5_000_000n);
      await runAcross(() => lendByHand(world, receiver, 6_000_000n));
      expect(await run()).toMatchObject({ findings: [of(receiver)], paused: [] });
      await takeBackByHand(world, receiver, 6_000_000n);
      expect(await run()).toMatchObject({ ok: true });
    });

    it('nor for what was taken of an order’s stake meanwhile', async () => {
      const receiver = await world.receiver();
      const { id } = await lend(receiver);
      await takeBackByHand(world, receiver, 5_000_000n);
      expect(await run()).toMatchObject({ paused: ['pool'] });
      await resume();
      await lendByHand(world, receiver, 5_000_000n);
      await runAcross(() => takeBackByHand(world, receiver, 6_000_000n));
      expect(await run()).toMatchObject({ findings: [{ kind: 'undelegation_foreign' }], paused: [] });
      await lendByHand(world, receiver, 6_000_000n);
      expect(await run()).toMatchObject({ ok: true });
      await takeBack(id);
    });

    it('pauses it although an instance died between the finding and the pause', async () => {
      const receiver = await world.receiver();
      await lendByHand(world, receiver, 5_000_000n);
      const change = (text: string) => world.app.sql.execute({ name: '', text });
      await change(
        `create function fail_audit() returns trigger language plpgsql as $$ begin raise 'the log is full'; end $$`,
      );
      await change('create trigger fail before insert on audit_log for each row execute function fail_audit()');
      await expect(run()).rejects.toThrow('the log is full');
      expect([await findings(), await state()]).toMatchObject([[{ kind: 'delegation_foreign' }], 'active']);
      await change('drop trigger fail on audit_log');
      expect(await run()).toMatchObject({ paused: ['pool'] });
      expect(await run()).toMatchObject({ paused: [] });
      const entries = await world.query(
        `select actor_id, service, action, before, after from audit_log where subject = 'wallet pool' order by id desc limit 1`,
      );
      expect(entries).toEqual([
        {
          actor_id: null,
          service: 'reconciler',
          action: 'wallet.state',
          before: { state: 'active' },
          after: { state: 'paused', found: [`delegation_foreign pool to ${receiver}`] },
        },
      ]);
    });
  });
});
