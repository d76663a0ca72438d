import { utils } from 'tronweb';
import { toHexAddress } from '../../src/chain/tron/addresses';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { lendByHand, takeBackByHand } from '../support/by-hand';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

const NONSENSE = '{"Error":"class java.lang.NullPointerException : null"}';

describe('a wallet of which no node says what it has lent', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let sick: string;
  const { address, privateKey } = utils.accounts.generateAccount();
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    sick = toHexAddress(address.base58);
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: 50_000_000_000 });
    await world.addKey('sick', address.base58, 'delegate', privateKey.toLowerCase());
    await world.untilRow(`select 1 from pool_wallets having bool_and(observed_at is not null)`);
    await world.untilRow(`select 1 from pool_wallets where name = 'sick' and delegable_sun > 0`);
    // If two wallets fit, the smaller one is chosen first.
    const answer = await world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    const lent = await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    expect(lent.wallet).toBe('sick');
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  beforeEach(() => (proxy.after = (_call, answer) => answer));

  const ofSick = (body: Record<string, unknown>) => Object.values(body).includes(sick);
  const fallSick = () => (proxy.after = ({ body }, answer) => (ofSick(body) ? NONSENSE : answer));
  const run = () => world.app.app.get(Reconciler).run();
  const open = async () =>
    (await world.app.app.get(FindingRepository).list()).map(({ kind, subject }) => `${kind} ${subject}`).toSorted();

  it('is reported by the audit and the reconciler, which compare all others', async () => {
    const stranger = await world.receiver();
    await lendByHand(world, stranger, 5_000_000n);
    fallSick();
    const found = (await world.audit()).findings.map(({ kind, subject }) => `${kind} ${subject}`).toSorted();
    expect(found).toEqual([`delegation_foreign pool to ${stranger}`, 'wallet_unread sick']);
    expect(await run()).toMatchObject({ ok: false, paused: ['pool'] });
    expect(await open()).toEqual(expect.arrayContaining(found));
    await takeBackByHand(world, stranger, 5_000_000n);
    proxy.after = (_call, answer) => answer;
    expect(await run()).toMatchObject({ ok: true, findings: [] });
  });

  it('keeps the findings that were made of it before, and is not paused for what cannot be read', async () => {
    const { receiver } = (await world.query(`select receiver from delegations`))[0] as { receiver: string };
    const gone = `undelegation_foreign sick to ${receiver}`;
    proxy.after = ({ route, body }, answer) =>
      route === 'walletsolidity/getdelegatedresourcev2' && ofSick(body) ? '{}' : answer;
    expect(await run()).toMatchObject({ paused: ['sick'] });
    fallSick();
    await run();
    expect(await open()).toEqual(expect.arrayContaining([gone, 'wallet_unread sick']));
    proxy.after = (_call, answer) => answer;
    // Read again, and all is there: the earlier readings were wrong.
    expect(await run()).toMatchObject({ ok: true, resumed: ['sick'] });
  });

  it('is only an unavailable node when no node answers anything, and nothing is found then', async () => {
    const before = await open();
    proxy.before = () => {
      throw new Error('away');
    };
    await expect(run()).rejects.toThrow('no node answers');
    proxy.before = () => undefined;
    expect(await open()).toEqual(before);
    await until('the node is asked again', async () => (await world.audit().catch(() => null)) !== null);
  });
});
