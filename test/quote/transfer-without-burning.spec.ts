import { TronWeb, utils } from 'tronweb';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';
import { USDT, quoted } from './quote-caller';

const FEE_LIMIT = 100_000_000;
const TRANSFER = 'transfer(address,uint256)';
const sixDecimals = (amount: number) => amount * 1_000_000;

/** A wallet as a customer has it: tronweb, a key and no service of ours. */
class Customer {
  readonly key = utils.accounts.generateAccount().privateKey.replace(/^0x/, '');
  private readonly tronWeb: TronWeb;
  readonly address: string;

  constructor(nodeUrl: string, key?: string) {
    this.key = key ?? this.key;
    this.tronWeb = new TronWeb({ fullHost: nodeUrl, privateKey: this.key });
    this.address = this.tronWeb.defaultAddress.base58 as string;
  }

  balanceSun(): Promise<number> {
    return this.tronWeb.trx.getUnconfirmedBalance(this.address);
  }

  async tokensOf(address: string): Promise<bigint> {
    return (await (await this.tronWeb.contract().at(USDT)).methods['balanceOf']!(address).call()) as bigint;
  }

  /** The transaction's info once it is in a block. */
  async transfer(to: string, amount: number) {
    const parameters = [
      { type: 'address', value: to },
      { type: 'uint256', value: amount },
    ];
    const build = this.tronWeb.transactionBuilder;
    const { transaction } = await build.triggerSmartContract(USDT, TRANSFER, { feeLimit: FEE_LIMIT }, parameters);
    const sent = await this.tronWeb.trx.sendRawTransaction(await this.tronWeb.trx.sign(transaction));
    if (!sent.result) throw new Error(JSON.stringify(sent));
    return until('the transfer in a block', async () => {
      const info = await this.tronWeb.trx.getUnconfirmedTransactionInfo(sent.txid);
      return info.id ? info : null;
    });
  }

  async send(to: string, sun: number): Promise<void> {
    const unsigned = await this.tronWeb.transactionBuilder.sendTrx(to, sun);
    await this.tronWeb.trx.sendRawTransaction(await this.tronWeb.trx.sign(unsigned));
  }
}

describe.each(['A', 'B'])('variant %s', (variant) => {
  let world: OrderWorld;
  beforeAll(async () => (world = await OrderWorld.open({ env: { BILLING_VARIANT: variant } })));
  afterAll(() => world.close());

  it('a transfer of USDT burns no TRX after a quote and the order that it says, and does without them', async () => {
    const rich = new Customer(world.chain.url, world.chain.accounts.find(({ role }) => role === 'rich')!.private_key);
    const customer = new Customer(world.chain.url);
    await rich.send(customer.address, 50_000_000);
    expect((await rich.transfer(customer.address, sixDecimals(20)))['receipt'].result).toBe('SUCCESS');
    const [friend, stranger] = [await world.receiver(false), await world.receiver(false)];

    // Quote: what the transfer takes, and what it costs either way.
    const caller = await world.caller();
    const fields = { receiver_address: customer.address, to: friend, value: sixDecimals(5), only_missing: 1 };
    const quote = await quoted(world, caller, fields);
    expect(quote).toMatchObject({
      amount: 2.005,
      cost: variant === 'A' ? 6.015 : 5.0125,
      burn_cost: 13.0285,
      payable: true,
      available: true,
      transfer: { energy: 130_285, succeeds: true },
    });

    // Order: exactly that, and nothing is missing afterwards.
    const order = await world.delegate(caller, { receiver_address: customer.address, amount: quote['amount'] });
    expect(order).toMatchObject({ status: 200, headers: expect.anything() });
    expect(order.headers.get('x-delegation-state')).toBe('included');
    const view = await world.get(caller, `/api/chain/delegations/${order.headers.get('x-delegation-id')}`);
    expect((view.body['data'] as { cost: number }).cost).toBe(quote['cost']);
    expect(await quoted(world, caller, fields)).toMatchObject({ amount: 0, energy: 0, cost: 0, burn_cost: 0 });

    // Transfer: paid by the lent energy, and not one sun is burned.
    const before = await customer.balanceSun();
    const lent = await customer.transfer(friend, sixDecimals(5));
    expect(lent['receipt']).toMatchObject({ result: 'SUCCESS', energy_usage: 130_285, energy_usage_total: 130_285 });
    expect(lent['receipt']).not.toHaveProperty('energy_fee');
    expect(lent).not.toHaveProperty('fee');
    expect(await customer.balanceSun()).toBe(before);
    expect(await customer.tokensOf(friend)).toBe(5_000_000n);

    // The same once more, without an order: it costs what the quote said that burning costs, but for what was left of the energy.
    const burned = await customer.transfer(stranger, sixDecimals(5));
    const left = (burned['receipt'].energy_usage as number | undefined) ?? 0;
    expect(left).toBeLessThan(200);
    expect(burned['receipt']).toMatchObject({ result: 'SUCCESS', energy_fee: 13_028_500 - left * 100 });
    expect(await world.audit()).toMatchObject({ ok: true });
  });
});
