import { TronWeb } from 'tronweb';
import { acknowledgeUse } from '../support/by-hand';
import type { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

interface Sent {
  readonly txId: string;
  readonly isLoan: boolean;
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
    this.friend ??= await this.world.receiver();
    const sun = orders * this.orderSun;
    const { transactionBuilder: builder, trx } = this.tronWeb;
    const unsigned = await builder.delegateResource(sun, this.friend, 'ENERGY', this.address);
    await acknowledgeUse(this.world, unsigned.txID, this.address);
    await this.untilInBlock(await trx.sendRawTransaction(await trx.sign(unsigned)), true);
    this.out += orders;
  }

  async takeBack(orders: number): Promise<void> {
    const sun = orders * this.orderSun;
    const { transactionBuilder: builder, trx } = this.tronWeb;
    const unsigned = await builder.undelegateResource(sun, this.friend!, 'ENERGY', this.address);
    await acknowledgeUse(this.world, unsigned.txID, this.address);
    await this.untilInBlock(await trx.sendRawTransaction(await trx.sign(unsigned)), false);
    this.out -= orders;
  }

  /** Beside what it keeps: lends and takes back at once, so that no instance has read what is there before it changes again. */
  async change(times: number): Promise<void> {
    for (let at = 0; at < times; at += 2) {
      await this.takeBack(ORDERS_EACH);
      await this.lend(ORDERS_EACH);
    }
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

  private async untilInBlock(
    { result, txid: txId }: { result: boolean; txid: string },
    isLoan: boolean,
  ): Promise<void> {
    expect(result).toBe(true);
    this.sent.push({ txId, isLoan });
    await until('it is in a block', async () => (await this.blockOf(txId)) !== undefined);
  }

  private async blockOf(txId: string): Promise<number | undefined> {
    const found = await this.world.node('wallet/gettransactioninfobyid', { value: txId });
    return found['blockNumber'] as number | undefined;
  }
}
