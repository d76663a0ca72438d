import { v7 as uuid } from 'uuid';
import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { finding } from '../../../src/findings/finding';
import { FindingRepository } from '../../../src/findings/finding.repository';
import { CheckEverything } from '../../../src/reconciliation/check-everything';
import { Reconciler } from '../../../src/reconciliation/reconciler';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { until } from '../../support/until';

describe('the panel, with a chain behind it,', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  let user: PanelUserLogin;
  let operator: PanelUserLogin;
  let own: PanelClient;
  let operating: PanelClient;

  beforeAll(async () => {
    world = await OrderWorld.open({ block: 300, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
    user = await insertPanelUser(world.app, { email: 'ann@example.com', balance: 100 });
    operator = await insertPanelUser(world.app, { email: 'olga@example.com', operator: true });
    const { token } = await world.app.app
      .get(ApiTokenService)
      .create({ userId: user.id, name: 'test', permissions: ['delegate'] });
    caller = { id: user.id, token };
    own = new PanelClient(world.app.url);
    await own.signIn(user.email, user.password);
    operating = new PanelClient(world.app.url);
    await operating.signIn(operator.email, operator.password);
  });
  afterEach(() => {
    proxy.before = () => undefined;
    proxy.after = (_call, answer) => answer;
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const messages = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const read = async (client: PanelClient, path: string) => messages((await client.get(path)).text);
  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });

  describe('of an order that was answered with a failure', () => {
    it('shows what was answered, that it was free, and whether it can still land', async () => {
      await place();
      proxy.before = ({ route }) => {
        if (route === 'wallet/broadcasttransaction') throw new Error('away');
      };
      const refused = await place();
      expect(refused.status).toBe(500);
      const id = refused.headers.get('x-delegation-id')!;
      const now = await read(own, `/panel/orders/${id}`);
      expect(now).toMatch(/Answer failure OUTCOME_UNKNOWN Why The network did not confirm the transaction in time/);
      expect(now).toContain(
        'Money You were not charged. Transaction It may still reach the chain within about two minutes',
      );
      expect(now).toContain('sent · may still reach the chain');
      expect(now).toContain('Paid by –');
      expect(await read(operating, `/panel/operator/orders/${id}`)).toContain('Money The user was not charged.');
      for (const [client, path] of [
        [own, '/panel/orders'],
        [operating, '/panel/operator/orders'],
      ] as const) {
        const list = await read(client, path);
        expect(list).toContain('sent OUTCOME_UNKNOWN may still reach the chain');
      }
      const answerOf = async () => {
        const { text } = await operating.get(`/panel/operator/orders/${id}`);
        return /<textarea [^>]*lang="([^"]+)"[^>]*readonly[^>]*>([^<]*)</.exec(text)!.slice(1);
      };
      const { receiver, txid } = (await world.show(id))!;
      const [tag, english] = await answerOf();
      expect(tag).toBe('en');
      for (const part of [
        `Your order ${id} of 20`,
        `Z: 65\u202f000 energy for ${receiver}.\nThe network did not confirm the transaction in time.`,
        'It may still reach the chain within about two minutes',
        'You were not charged.',
        `Transaction id: ${txid!}\nOrder again with a new key.`,
      ])
        expect(english).toContain(part);
      await world.query(`update users set language = 'zh', time_zone = 'Asia/Shanghai' where id = $1 returning 1`, [
        caller.id,
      ]);
      const [chineseTag, chinese] = await answerOf();
      expect(chineseTag).toBe('zh-Hans');
      expect(chinese).toMatch(/^您于 20\d\d-\d\d-\d\dT\d\d:\d\d\+08:00 提交的订单/);
      await world.query('update users set language = null, time_zone = null where id = $1 returning 1', [caller.id]);
      expect((await own.get(`/panel/orders/${id}`)).text).not.toContain('<textarea');
      await world.control('clock', { ms: 61_000 });
      await world.untilState(id, 'failed');
      const later = await read(own, `/panel/orders/${id}`);
      expect(later).toContain(
        'You were not charged. Transaction Confirmed: the transaction is not on chain and can no longer be included.',
      );
      expect(later).not.toMatch(/may still reach|not yet/);
    });
  });

  it('says on the Wallets page what the API answers, and why', async () => {
    const pool = world.app.app.get(PoolAdminService);
    const by = { id: operator.id, address: '' };
    const shown = () => read(operating, '/panel/operator/wallets');
    const agrees = async (code: string, why: string, expected = 501) => {
      const { status, headers } = await place();
      expect([status, headers.get('x-error-code')]).toEqual([expected, code]);
      const page = await shown();
      expect(page).toContain(`New orders are refused with ${expected} ${code}: ${why}`);
      expect(page).not.toContain('New orders are being accepted.');
      for (const first of ['/panel/operator', '/panel/operator/today']) {
        expect(await read(operating, first)).toContain(`${expected} ${code}: ${why}`);
      }
    };
    expect((await place()).status).toBe(200);
    expect(await shown()).toMatch(/New orders are being accepted\. Largest possible order: [\d ]+ transactions\./);
    await pool.setWalletState(by, 'pool', 'paused');
    await agrees('PAUSED', 'every wallet that delegates is paused or draining');
    await pool.setWalletState(by, 'pool', 'active');
    await pool.pause(by, 'orders', null);
    await agrees('PAUSED', 'an operator has paused all new orders');
    await pool.resume(by, 'orders');
    const stalled = jest.spyOn(world.app.app.get(VerifiedChain), 'problem', 'get').mockReturnValue('no new block');
    await agrees('NODE_UNAVAILABLE', 'the chain could not be read for a while', 500);
    stalled.mockRestore();
    expect(await shown()).toContain('New orders are being accepted.');
  });

  describe('asked for a check,', () => {
    const page = '/panel/operator/findings';
    const begin = (client: PanelClient) => client.submit(page, page);
    const over = (client: PanelClient) =>
      until('the check has ended', async () => {
        const text = await read(client, page);
        return !text.includes('is running') && text;
      });

    it('looks at every row, says at how many, and finds what no change points to', async () => {
      const reconciler = world.app.app.get(Reconciler);
      await reconciler.run('whole');
      const id = uuid();
      await world.query(`insert into users (id, email, name) values ($1, 'lost@example.com', 'Lost')`, [id]);
      expect((await reconciler.run('changed')).findings).toEqual([]);
      expect(await read(operating, page)).not.toContain('Account is missing');
      expect(await begin(operating)).toMatchObject({ status: 303, location: page });
      const shown = await over(operating);
      const [users] = await world.query('select count(*)::integer as count from users');
      expect(shown).toMatch(
        new RegExp(
          `Last full check: \\S+ olga@example.com Done: 1 problem found. It checked ${String(users!['count'])} users, `,
        ),
      );
      expect(shown).toContain('Account is missing');
      await world.query('delete from users where id = $1', [id]);
      expect(await read(operating, page)).toContain('Account is missing');
      await begin(operating);
      expect(await over(operating)).toContain('Done: no problem found.');
    });

    it('answers before it has ended, and makes one at a time over all instances', async () => {
      const other = await world.startInstance({}, false);
      const colleague = new PanelClient(other.url);
      await colleague.signIn(operator.email, operator.password);
      const { release } = hold(world.app.app.get(CheckEverything));
      expect(await begin(operating)).toMatchObject({ status: 303 });
      expect(await read(operating, page)).toContain('The full check has started.');
      await begin(colleague);
      expect(await read(colleague, page)).toMatch(
        /already running\. Only one runs at a time\. .*is running.* olga@example.com Refresh/,
      );
      const runs = await world.query('select run, ended_at from whole_check');
      expect(runs).toMatchObject([{ ended_at: null }]);
      release();
      expect(await over(colleague)).toContain('Done: no problem found.');
      expect(await world.query('select run from whole_check')).toMatchObject([{ run: runs[0]!['run'] }]);
      const log = await world.query(
        `select outcome from audit_log where action = 'reconcile' order by id desc limit 2`,
      );
      expect(log).toMatchObject([{ outcome: 'done' }, { outcome: 'begun' }]);
      await world.stopInstance(other);
    });

    it.each(["- interval '1 second'", "+ interval '1 day'"])(
      'begins another when the claim of the last, now %s, is worth nothing',
      async (offset) => {
        await begin(operating);
        await over(operating);
        await world.query(
          `update whole_check set ended_at = null, outcome = null, result = null, claimed_until = now() ${offset}`,
        );
        expect(await read(operating, page)).toContain('The check stopped before its end and has no result.');
        await begin(operating);
        expect(await over(operating)).toContain('Done: no problem found.');
      },
    );

    it('says so when no node answers, and that it says nothing of what it was to compare', async () => {
      await proxy.refuse();
      await begin(operating);
      const shown = await over(operating);
      await proxy.listen();
      expect(shown).toContain('The node could not be reached, so nothing was compared.');
      expect(shown).not.toContain('Done:');
    });

    it('closes no finding that another check has made meanwhile', async () => {
      const store = world.app.app.get(FindingRepository);
      const [pool] = await world.query(`select id from pool_wallets where name = 'pool'`);
      const lent = { lent_sun: '1', least_sun: '2' };
      const about = {
        type: 'delegated_resource',
        walletId: String(pool!['id']),
        wallet: 'pool',
        receiver: 'T',
      } as const;
      const { reached, release } = hold(world.app.app.get(CheckEverything));
      const run = world.app.app.get(Reconciler).run('whole');
      await reached;
      await store.seen(finding('undelegation_foreign', lent, about));
      release();
      await run;
      expect((await store.list()).map(({ subject }) => subject)).toEqual(['pool to T']);
      await world.app.app.get(Reconciler).run('whole');
      expect(await store.list()).toEqual([]);
    });
  });
});

/** Its next look waits until it is let go. */
function hold(audit: CheckEverything): { reached: Promise<void>; release: () => void } {
  const compare = audit.compareChain.bind(audit);
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  audit.compareChain = async (watched, signal) => {
    audit.compareChain = compare;
    reached.resolve();
    await held.promise;
    return compare(watched, signal);
  };
  return { reached: reached.promise, release: held.resolve };
}
