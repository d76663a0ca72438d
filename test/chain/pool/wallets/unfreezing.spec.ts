import { Switches } from '../../../../src/chain/pool/switches/switches';
import { PoolForecast } from '../../../../src/chain/pool/wallets/pool-forecast';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { stealthily } from '../../../support/by-hand';
import { OrderWorld } from '../../../support/order-world';
import { PanelClient } from '../../../support/panel-client';
import { insertPanelUser } from '../../../support/panel-user';
import { SharedCommandLine } from '../../../support/shared-command-line';
import { until } from '../../../support/until';

const TRX = 1_000_000n;
const STAKE_SUN = 10_000_000n * TRX;
const DAYS_14_MS = 14 * 86_400_000;

interface Listed {
  readonly name: string;
  readonly stake_sun: string;
  readonly unfreezing_sun: string;
  readonly delegable_sun: string;
  readonly largest_order: number;
  readonly unfreezing: readonly { readonly resource: string; readonly sun: string; readonly available_at: string }[];
  readonly unfreeze_slots_left: number;
}

describe('stake that is being unfrozen', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeEach(async () => {
    world = await OrderWorld.open({ env: { RECLAIM_DELAY: '1s' } });
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterEach(() => Promise.all([cli.close(), world.close()]));

  const unfreeze = (trx: bigint, resource: 'ENERGY' | 'BANDWIDTH' = 'ENERGY') =>
    stealthily(world, 'pool', ({ transactionBuilder }, owner) =>
      transactionBuilder.unfreezeBalanceV2(Number(trx * TRX), resource, owner),
    );
  const listed = async () => (await cli.json<Listed[]>('pool:list')).find(({ name }) => name === 'pool')!;
  const row = async () => (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'pool')!;
  const lastForecast = async () =>
    (await world.app.app.get(PoolForecast).read()).filter(({ name }) => name === 'pool').at(-1)!;
  const readUntil = (what: string, isSo: (wallet: Awaited<ReturnType<typeof row>>) => boolean) =>
    until(what, async () => {
      await world.tryToReadWallets();
      const wallet = await row();
      return isSo(wallet) && wallet;
    });

  it('lends nothing, comes back in no forecast, and is shown with its time and the slots that are left', async () => {
    const before = await listed();
    expect(before).toMatchObject({ unfreezing_sun: '0', unfreezing: [], unfreeze_slots_left: 32 });
    await unfreeze(9_900_000n);
    await unfreeze(1_000n, 'BANDWIDTH');
    await readUntil('the unfreezing read', ({ unfreezing }) => unfreezing.length === 2);
    const after = await listed();
    expect(after).toMatchObject({
      stake_sun: String(100_000n * TRX),
      unfreezing_sun: String(9_900_000n * TRX),
      delegable_sun: String(100_000n * TRX),
      largest_order: 14,
      unfreezing: [
        { resource: 'energy', sun: String(9_900_000n * TRX) },
        { resource: 'bandwidth', sun: String(1_000n * TRX) },
      ],
      unfreeze_slots_left: 30,
    });
    const inMs = Date.parse(after.unfreezing[0]!.available_at) - Date.now();
    expect(Math.abs(inMs - DAYS_14_MS)).toBeLessThan(600_000);
    expect(await lastForecast()).toMatchObject({ leastSun: 100_000n * TRX, mostSun: 100_000n * TRX });
    const caller = await world.caller({ balance: 10_000 });
    const order = async (amount: number) =>
      world.delegate(caller, { receiver_address: await world.receiver(), amount });
    expect((await order(15)).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    expect((await order(14)).status).toBe(200);

    const operator = await insertPanelUser(world.app, { operator: true });
    const client = new PanelClient(world.app.url);
    await client.signIn(operator.email, operator.password);
    const page = async () => (await client.get(`/panel/operator/wallets/${(await row()).id}`)).text;
    const text = await page();
    expect(text).toContain('Being unfrozen, cannot be delegated');
    expect(text.replaceAll(/<[^>]*>/g, '')).toMatch(/9[,\s\u202f]?900[,\s\u202f]?000\.000000 TRX of energy, available/);
    expect(text).toContain('30 more unfreezings are possible now');

    // By the chain's time both can be withdrawn; this machine's clock stands where it was.
    await world.control('clock', { ms: DAYS_14_MS + 60_000 });
    await until('all slots', async () => (await listed()).unfreeze_slots_left === 32);
    await until('all slots on the page', async () => (await page()).includes('32 more unfreezings are possible now'));
  });

  it('leaves its used energy to what remains staked, which recovers before anything can be lent', async () => {
    const caller = await world.caller({ balance: 10_000 });
    const receiver = await world.receiver();
    const switches = world.app.app.get(Switches);
    await switches.pause('reclaims', 'the energy is used first');
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 100 });
    expect(answer.status).toBe(200);
    await world.control('spend-energy', { address: receiver, energy: 6_500_000 });
    await switches.resume('reclaims');
    await world.untilReclaimed(answer.headers.get('x-delegation-id')!);
    // Some 686,000 TRX of the stake have used their energy.
    await readUntil('the use read', ({ used_energy_sun: used }) => used > 600_000n * TRX);
    await unfreeze(9_700_000n);
    const { used_energy_sun: usedSun } = await readUntil(
      'the unfreezing read',
      ({ stake_sun: s }) => s < STAKE_SUN / 2n,
    );
    expect(await row()).toMatchObject({ stake_sun: 300_000n * TRX, delegable_sun: 0n });
    const curve = (await world.app.app.get(PoolForecast).curves()).get((await row()).id)!;
    const expected = (hours: bigint) => {
      const left = usedSun - (usedSun * hours) / 24n;
      return left < 300_000n * TRX ? 300_000n * TRX - left : 0n;
    };
    expect(curve[12]).toMatchObject({ leastSun: 0n, mostSun: 0n });
    expect(curve[12]!.mostSun).toBe(expected(12n));
    expect(curve[18]!.mostSun - expected(18n)).toBeLessThan(2n);
    expect(curve[24]!.mostSun).toBe(300_000n * TRX);
  });
});
