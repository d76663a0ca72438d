import { TronWeb, type Types } from 'tronweb';
import { acknowledgeUse } from '../support/by-hand';
import type { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

interface Sent {
  readonly txId: string;
  readonly isLoan: boolean;
}

interface Signed {
  readonly orders: number;
  readonly isLoan: boolean;
  readonly transaction: Types.SignedTransaction;
}

interface Head {
  readonly block_header: { readonly raw_data: { readonly number?: number } };
}

/** What a change takes: half as much as somebody keeps lent. */
const ORDERS_EACH = 5;

/** Somebody else with the key of a pool wallet, who lends its stake and takes it back; stake is counted in orders that it would do for. */
export class StakeStranger {
  private readonly tronWeb: TronWeb;
  private readonly sent: Sent[] = [];
  private friend: string | undefined;
  private out = 0;

  constructor(
    private readonly world: OrderWorld,
    private readonly address: string,
    key: string,
    private readonly orderSun: number,
  ) {
    this.tronWeb = new TronWeb({ fullHost: world.chain.url, privateKey: key });
  }

  get loans(): string[] {
    return this.sent.filter(({ isLoan }) => isLoan).map(({ txId }) => txId);
  }

  async head(): Promise<number> {
    const { block_header: header } = (await this.world.node('wallet/getnowblock')) as unknown as Head;
    return header.raw_data.number ?? 0;
  }

  /** What the solid chain shows as not lent. */
  async freeSun(): Promise<number> {
    const body = { owner_address: TronWeb.address.toHex(this.address), type: 1 };
    const { max_size: sun } = await this.world.node('walletsolidity/getcandelegatedmaxsize', body);
    return sun as number;
  }

  async lend(orders: number): Promise<void> {
    await this.send([await this.signed(orders, true)]);
  }

  async takeBack(orders: number): Promise<void> {
    await this.send([await this.signed(orders, false)]);
  }

  /** Beside what it keeps: takes back and lends at once, so that no instance reads what is there before it changes again. */
  async change(times: number): Promise<void> {
    for (let at = 0; at < times; at += 2)
      await this.send([await this.signed(ORDERS_EACH, false), await this.signed(ORDERS_EACH, true)]);
  }

  async takeAllBack(): Promise<void> {
    if (this.out > 0) await this.takeBack(this.out);
  }

  /** In blocks after the first up to the last. */
  async changesBetween(first: number, last: number): Promise<{ lent: number; takenBack: number }> {
    const blocks = await Promise.all(
      this.sent.map(async (one) => ({ ...one, block: (await this.blockOf(one.txId))! })),
    );
    const meanwhile = blocks.filter(({ block }) => block > first && block <= last);
    const lent = meanwhile.filter(({ isLoan }) => isLoan).length;
    return { lent, takenBack: meanwhile.length - lent };
  }

  private async signed(orders: number, isLoan: boolean): Promise<Signed> {
    this.friend ??= await this.world.receiver();
    const { transactionBuilder: builder, trx } = this.tronWeb;
    const asked = [orders * this.orderSun, this.friend, 'ENERGY', this.address] as const;
    const unsigned = await (isLoan ? builder.delegateResource(...asked) : builder.undelegateResource(...asked));
    await acknowledgeUse(this.world, unsigned.txID, this.address);
    return { orders, isLoan, transaction: await trx.sign(unsigned) };
  }

  private async send(all: readonly Signed[]): Promise<void> {
    for (const { orders, isLoan, transaction } of all) {
      expect(await this.tronWeb.trx.sendRawTransaction(transaction)).toMatchObject({ result: true });
      this.sent.push({ txId: transaction.txID, isLoan });
      this.out += isLoan ? orders : -orders;
    }
    for (const { transaction } of all)
      await until('it is in a block', async () => (await this.blockOf(transaction.txID)) !== undefined);
  }

  private async blockOf(txId: string): Promise<number | undefined> {
    const found = await this.world.node('wallet/gettransactioninfobyid', { value: txId });
    return found['blockNumber'] as number | undefined;
  }
}
