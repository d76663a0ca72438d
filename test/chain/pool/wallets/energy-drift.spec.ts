import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { type Caller, OrderWorld } from '../../../support/order-world';

const ENERGY = 65_000;

describe('TotalEnergyWeight that drifts between the quote and the block', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      env: { DELEGATION_ANSWER: 'accepted', ENERGY_MARGIN_PERCENT: '0.1' },
    });
    await world.control('block', { count: 6 });
    caller = await world.caller();
    // The rate is read now.
    await lend(0);
  });
  afterAll(() => world.close());

  const weight = async () => {
    const { address } = world.chain.accounts.find(({ role }) => role === 'pool')!;
    return Number((await world.node('wallet/getaccountresource', { address, visible: true }))['TotalEnergyWeight']);
  };

  /** What the receiver of one transaction's energy has once it is in a block, when the weight grows by so much meanwhile. */
  async function lend(growth: number): Promise<number> {
    const receiver = await world.receiver();
    const before = await weight();
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect(answer.status).toBe(200);
    await world.control('weight', { energy_trx: Math.round(before * (1 + growth)) });
    await world.control('block');
    return world.energyOf(receiver);
  }

  it('costs the receiver nothing up to the margin', async () => {
    expect(await lend(0.00099)).toBeGreaterThanOrEqual(ENERGY);
  });

  it('gives the receiver more when it falls', async () => {
    expect(await lend(-0.01)).toBeGreaterThanOrEqual(ENERGY * 1.01);
  });

  it('costs the receiver only what goes beyond the margin, and the next reading makes up for it', async () => {
    const short = await lend(0.02);
    expect(short).toBeGreaterThanOrEqual(Math.floor((ENERGY * 1.001) / 1.02));
    expect(short).toBeLessThan(ENERGY);
    await world.app.app.get(Capacity).refresh();
    expect(await lend(0)).toBeGreaterThanOrEqual(ENERGY);
  });
});
