import { JudgedKeys } from '../../../src/chain/transactions/signing/judged-keys';
import { SigningKeys } from '../../../src/chain/transactions/signing/signing-keys';
import { ChainAlarmsSchedule } from '../../../src/reconciliation/alarms/chain-alarms.schedule';
import { finding } from '../../../src/findings/finding';
import { FindingRepository } from '../../../src/findings/finding.repository';
import type { Answer } from '../../support/order-world';
import { until } from '../../support/until';
import type { Result } from '../signer.fixture';
import { SignerProxy } from './signer-proxy';
import { SignerWorld } from './signer-world';

const codeOf = ({ headers }: Answer) => headers.get('x-error-code');

describe('the service, and a signer that', () => {
  let signed: SignerWorld;
  let proxy: SignerProxy;
  beforeAll(async () => {
    signed = await SignerWorld.open({
      socketPath: async (signer) => (proxy = await SignerProxy.open(signer.socket)).socket,
      env: { METRICS_TOKEN: 'a token that nobody guesses' },
    });
  });
  afterAll(async () => {
    await signed.close();
    await proxy.close();
  });

  async function order(active = true): Promise<Answer> {
    const { world } = signed;
    const receiver_address = await world.receiver(active);
    return world.delegate(await world.caller(), { receiver_address, amount: 1, activate_address: !active });
  }

  async function expectRefused(answer: Answer): Promise<void> {
    expect([answer.status, codeOf(answer), answer.headers.get('x-delegation-id')]).toEqual([
      500,
      'SIGNER_UNAVAILABLE',
      null,
    ]);
    await expectNothingHeld();
  }

  async function expectNothingHeld(): Promise<void> {
    const held = `select (select coalesce(sum(held_sun), 0) from accounts)::text as held,
                         (select count(*)::int from delegations where state in ('pending', 'activating')) as open`;
    expect(await signed.world.query(held)).toEqual([{ held: '0', open: 0 }]);
  }

  /** Until an order goes through again; each try is an order of its own. */
  async function untilSigned(): Promise<void> {
    await until('an order that the signer signs', async () => (await order()).status === 200);
    await untilNothingOpen();
  }

  async function untilNothingOpen(): Promise<void> {
    const open = `select 1 from delegations where state in ('pending', 'activating', 'sent', 'included')`;
    await until('nothing under way', async () => (await signed.world.query(open)).length === 0);
  }

  async function ready(): Promise<{ status: number; code: string | null; signer: unknown }> {
    const response = await fetch(`${signed.world.app.url}/health/ready`);
    const { checks } = (await response.json()) as { checks: { signer: unknown } };
    return { status: response.status, code: response.headers.get('x-error-code'), signer: checks.signer };
  }

  async function metric(): Promise<string[]> {
    const headers = { authorization: 'Bearer a token that nobody guesses' };
    const page = await (await fetch(`${signed.world.app.url}/metrics`, { headers })).text();
    return page.split('\n').filter((line) => line.startsWith('energy_signer_key_up{'));
  }

  async function findings(): Promise<string[]> {
    const { app } = signed.world.app;
    await app.get(ChainAlarmsSchedule).keep();
    const open = await app.get(FindingRepository).list();
    return open.filter(({ kind }) => kind === 'signer_unavailable').map(({ subject }) => subject);
  }

  it('is there: orders of the same moment share a POST, by one connection', async () => {
    await untilSigned();
    proxy.posts.length = 0;
    proxy.connections.clear();
    const answers = await Promise.all(Array.from({ length: 20 }, () => order()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(proxy.posts.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(Math.max(...proxy.posts)).toBeGreaterThan(1);
    expect(proxy.connections.size).toBe(1);
    await untilNothingOpen();
    expect(await ready()).toEqual({ status: 200, code: null, signer: 'ok' });
    expect(await findings()).toEqual([]);
  });

  it('is gone has its orders refused with nothing held, its reclaims wait, and everybody hears of it', async () => {
    const id = (await order()).headers.get('x-delegation-id')!;
    await signed.world.untilState(id, 'delegated');
    await signed.signer.stop('SIGKILL');
    await expectRefused(await order());
    await expectRefused(await order(false));
    const due = `update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning 1`;
    await signed.world.query(due, [id]);
    await until('the reclaim says why it waits', async () => {
      const { last_error: error } = (await signed.world.show(id))!;
      return error?.includes('signs nothing');
    });
    expect((await signed.world.show(id))!.state).toBe('delegated');
    expect((await findings()).toSorted()).toEqual(['activate', 'pool']);
    await until('not ready', async () => (await ready()).status === 503);
    expect(await ready()).toEqual({ status: 503, code: 'SIGNER_UNAVAILABLE', signer: 'failed' });
    await until('the metric says so', async () => (await metric()).every((line) => line.endsWith(' 0')));
    await signed.startSigner();
    await untilSigned();
    await signed.world.untilReclaimed(id);
    await until('ready again', async () => (await ready()).status === 200);
  });

  it('loses an answer is asked once more: the same bytes are the same transaction', async () => {
    const before = signed.signer.lines().length;
    proxy.losesAnswers = 1;
    expect((await order()).status).toBe(200);
    const lines = signed.signer.lines().slice(before);
    expect(lines).toHaveLength(2);
    expect(new Set(lines.map(({ txid }) => txid)).size).toBe(1);
  });

  it('hangs for both tries has the order refused, and one that answers late is in time for the second', async () => {
    await untilNothingOpen();
    proxy.posts.length = 0;
    signed.signer.process.process.kill('SIGSTOP');
    await expectRefused(await order());
    expect(proxy.posts).toEqual([1, 1]);
    signed.signer.process.process.kill('SIGCONT');
    await untilSigned();
    proxy.posts.length = 0;
    signed.signer.process.process.kill('SIGSTOP');
    const late = order();
    await until('the second try', async () => proxy.posts.length === 2);
    signed.signer.process.process.kill('SIGCONT');
    expect((await late).status).toBe(200);
    await untilNothingOpen();
  });

  const [other] = [{ last: null as Result | null }];
  it.each<[string, (results: Result[]) => unknown]>([
    ['answers with another transaction’s signature', ([, ...rest]) => ({ results: [other.last, ...rest] })],
    [
      'puts it under the right txid',
      ([own, ...rest]) => ({ results: [{ txid: own!.txid, signature: other.last!.signature }, ...rest] }),
    ],
    ['answers with one result too many', (results) => ({ results: [...results, ...results] })],
    ['answers with none', () => ({ results: [] })],
    ['answers in another form', () => []],
    ['answers with a signature that is cut short', ([own]) => ({ results: [{ ...own, signature: '00' }] })],
    ['refuses', () => ({ results: [{ error: 'not_allowed', message: 'never\nmind' }] })],
    ['refuses at its limit', () => ({ results: [{ error: 'limit_reached', message: 'later' }] })],
  ])('%s has the order refused, and nothing held', async (what, change) => {
    proxy.change = (answered) => {
      [other.last] = answered.results as [Result];
      return answered;
    };
    await untilSigned();
    proxy.change = ({ results }) => change(results);
    await expectRefused(await order());
    if (what === 'refuses') await until('not ready', async () => (await ready()).status === 503);
    proxy.change = (answered) => answered;
    await untilSigned();
  });

  it('is asked for no signature for a caller who cannot pay', async () => {
    const { world } = signed;
    const before = signed.signer.lines().length;
    const caller = await world.caller({ balance: 0 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(true), amount: 1 });
    expect(codeOf(answer)).toBe('INSUFFICIENT_BALANCE');
    expect(signed.signer.lines()).toHaveLength(before);
  });

  it('signs one order at most for a caller whose money has run out', async () => {
    const { world } = signed;
    const caller = await world.caller({ balance: 3 });
    const receiver_address = await world.receiver(true);
    const ask = () => world.delegate(caller, { receiver_address, amount: 1 });
    expect((await ask()).status).toBe(200);
    const before = signed.signer.lines().length;
    const answers = [await ask(), ...(await Promise.all([ask(), ask(), ask()]))];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'INSUFFICIENT_BALANCE'));
    expect(signed.signer.lines().length - before).toBeLessThanOrEqual(1);
    await untilNothingOpen();
  });

  it('refuses a delegation after it has signed the activation has the order fail uncharged, and the next one pays for none', async () => {
    const { world } = signed;
    await signed.signer.stop();
    signed.configure({ pool: { stake_sun_per_hour: '1' } });
    await signed.startSigner();
    await signed.look();
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
    const answer = await world.delegate(caller, body);
    expect([answer.status, codeOf(answer)]).toEqual([500, 'SIGNER_UNAVAILABLE']);
    const id = answer.headers.get('x-delegation-id')!;
    expect((await world.show(id))!.state).toBe('failed');
    await expectNothingHeld();
    const booked = `select coalesce(sum(cost_sun) filter (where state <> 'failed'), 0)::text as cost_sun from delegations where user_id = $1`;
    expect(await world.query(booked, [caller.id])).toEqual([{ cost_sun: '0' }]);
    await signed.signer.stop();
    signed.configure();
    await signed.startSigner();
    await untilSigned();
    const activations = signed.signer.lines().filter(({ key }) => key === 'activate').length;
    expect((await world.delegate(caller, body)).status).toBe(200);
    expect(signed.signer.lines().filter(({ key }) => key === 'activate')).toHaveLength(activations);
    await untilNothingOpen();
  });

  it('refuses one order at its limit signs the next one at once', async () => {
    proxy.change = () => ({ results: [{ error: 'limit_reached', message: 'too large' }] });
    await expectRefused(await order());
    proxy.change = (answered) => answered;
    expect((await order()).status).toBe(200);
    await untilNothingOpen();
  });

  it('refuses its limit to new orders goes on taking back what is lent', async () => {
    const id = (await order()).headers.get('x-delegation-id')!;
    await signed.world.untilState(id, 'delegated');
    await signed.signer.stop();
    signed.configure({ pool: { stake_sun_per_hour: '1' } });
    await signed.startSigner();
    await signed.look();
    await expectRefused(await order());
    await signed.world.query(
      `update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning 1`,
      [id],
    );
    await signed.world.untilReclaimed(id);
    await signed.signer.stop();
    signed.configure();
    await signed.startSigner();
    await untilSigned();
  });

  it('was started again with another key, or without one, signs nothing until the permission has it', async () => {
    const stranger = await signed.backend.make('stranger');
    await signed.signer.stop();
    signed.configure({}, { pool: stranger });
    await signed.startSigner();
    await expectRefused(await order());
    await until('known by its new key', async () => {
      await signed.look();
      const answer = await order();
      expect(answer.status).toBe(500);
      return (await findings()).includes('pool');
    });
    await signed.signer.stop();
    signed.configure();
    await signed.startSigner();
    await untilSigned();
  });

  it('has another key for a wallet that signs by its owner permission is called unavailable', async () => {
    const { app } = signed.world.app;
    const owner = {
      name: 'pool',
      address: signed.address('pool'),
      role: 'delegate' as const,
      keySource: 'signer:pool',
      permissionId: 0,
    };
    expect(app.get(SigningKeys).faultOf(owner)).toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    const unjudged = { ...owner, permissionId: 9 };
    expect(app.get(JudgedKeys).faultOf(unjudged)).toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
  });

  it.each([
    ['none has seen it for a minute', '-61 seconds'],
    ['it was seen while the clock of the database was ahead', '1 day'],
  ])('one instance alone does not reach stays a finding until %s', async (_, seen) => {
    const { app } = signed.world.app;
    const found = app.get(FindingRepository);
    const wallets = await signed.world.query(`select id from pool_wallets where name = 'pool'`);
    const about = { type: 'wallet', walletId: String(wallets[0]!['id']), wallet: 'pool' } as const;
    await found.seen(finding('signer_unavailable', { fault: 'out of reach' }, about));
    const isOpen = async () => (await found.list()).some(({ kind }) => kind === 'signer_unavailable');
    await found.resolveOthers([]);
    expect(await isOpen()).toBe(true);
    await signed.world.query(
      `update findings set last_seen_at = now() + $1::interval where kind = 'signer_unavailable' returning 1`,
      [seen],
    );
    await found.resolveOthers([]);
    expect(await isOpen()).toBe(false);
  });

  it('leaves chain, orders and money in agreement', async () => {
    await untilNothingOpen();
    const { findings: found } = await signed.world.audit();
    const doubtful = found.filter(
      ({ kind, parameters }) => kind !== 'signer_unavailable' && parameters['act'] !== 'permission_change',
    );
    expect(doubtful).toEqual([]);
  });
});
