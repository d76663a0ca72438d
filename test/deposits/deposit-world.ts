import { TronWeb, type Types } from 'tronweb';
import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { XPUB } from '../support/deposit-account';
import { type Caller, OrderWorld, type WorldOptions } from '../support/order-world';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

export { ACCOUNT, addressAt, XPUB } from '../support/deposit-account';

type SignedTransaction = Types.SignedTransaction;

export const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const TRX = 1_000_000;

export interface Customer extends Caller {
  readonly address: string;
}

export interface ShownDeposit {
  readonly id: string;
  readonly txid: string | null;
  readonly index: number | null;
  readonly address: string;
  readonly asset: string;
  readonly amount: number;
  readonly credited: number | null;
  readonly rate: number | null;
  readonly state: string;
  readonly confirmations: number;
}

/** A service with deposits on a chain whose blocks come when a test asks for them. */
export class DepositWorld {
  private constructor(readonly world: OrderWorld) {}

  static async open({ env, ...options }: WorldOptions = {}): Promise<DepositWorld> {
    const settings = { DEPOSIT_XPUB: XPUB, ...env };
    const world = await OrderWorld.open({ block: 'manual', solidLag: 4, ...options, env: settings });
    const deposits = new DepositWorld(world);
    await world.control('block', { count: 6 });
    if (options.backgroundWork !== false) await deposits.untilBegun();
    return deposits;
  }

  /** From then on no block is left out. */
  async untilBegun(): Promise<void> {
    await this.world.untilRow(`select 1 from followed_blocks where subscriber = 'deposits'`);
  }

  /** Until an instance that has just started has looked through a final block: from then on it knows all addresses. */
  async untilFollowing(): Promise<void> {
    const place = async () => {
      const [row] = await this.world.query(`select number from followed_blocks where subscriber = 'deposits'`);
      return Number(row!['number']);
    };
    const before = await place();
    await until('another final block', async () => (await place()) > before);
  }

  /** Until an instance has looked at the chain, and knows which final block the database remembers. */
  async untilGivesAddresses({ app }: Pick<TestApp, 'app'> = this.world.app): Promise<void> {
    await until('a look at the chain', async () => app.get(ReferenceBlocks).rememberedNumber() !== null);
  }

  /** Rows were doubted, and an instance has begun to compare them with the chain. */
  async untilCompared(): Promise<void> {
    await this.world.untilRow(
      'select 1 from database_identity where compared_block is not null and timeline is not null',
    );
  }

  get tronWeb(): TronWeb {
    return this.tronWebOf('rich');
  }

  private tronWebOf(payer: string): TronWeb {
    const { private_key: privateKey } = this.world.chain.accounts.find(({ role }) => role === payer)!;
    return new TronWeb({ fullHost: this.world.chain.url, privateKey });
  }

  async customer(): Promise<Customer> {
    const caller = await this.world.caller({});
    const { body } = await this.world.get(caller, '/api/user/deposit-address');
    return { ...caller, address: (body['data'] as { address: string }).address };
  }

  async list(customer: Caller, query = ''): Promise<ShownDeposit[]> {
    const { body } = await this.world.get(customer, `/api/user/deposits${query}`);
    return body['data'] as ShownDeposit[];
  }

  async balanceSun({ id }: Caller): Promise<bigint> {
    const [row] = await this.world.query('select balance_sun from accounts where user_id = $1', [id]);
    return BigInt(row!['balance_sun'] as string);
  }

  /** Pending. */
  async payTrx(address: string, sun: number, payer = 'rich'): Promise<string> {
    const tronWeb = this.tronWebOf(payer);
    return this.send(await tronWeb.transactionBuilder.sendTrx(address, sun), tronWeb);
  }

  async payUsdt(address: string, units: number, contract = USDT): Promise<string> {
    const parameters = [
      { type: 'address', value: address },
      { type: 'uint256', value: units },
    ];
    const { transaction } = await this.tronWeb.transactionBuilder.triggerSmartContract(
      contract,
      'transfer(address,uint256)',
      { feeLimit: 100 * TRX },
      parameters,
    );
    return this.send(transaction);
  }

  /** A call of the contract with these bytes as they are. */
  async call(data: string, contract = USDT, feeLimit = 100 * TRX): Promise<string> {
    const { transaction } = await this.tronWeb.transactionBuilder.triggerSmartContract(
      contract,
      '',
      { feeLimit, input: data },
      [],
    );
    return this.send(transaction);
  }

  async send(unsigned: object, tronWeb = this.tronWeb): Promise<string> {
    const signed = await tronWeb.trx.sign(unsigned as SignedTransaction);
    const sent = await tronWeb.trx.sendRawTransaction(signed);
    if (!sent.result) throw new Error(JSON.stringify(sent));
    return signed.txID;
  }

  /** The height that is final by the node. */
  private final = 0;

  async mine(count = 1): Promise<void> {
    const { solid } = (await this.world.control('block', { count })) as { solid: number };
    this.final = solid;
  }

  async head(): Promise<number> {
    const { block_header: header } = await this.world.node('wallet/getnowblock');
    return (header as { raw_data: { number: number } }).raw_data.number;
  }

  /** Until the instance has read the chain's head, which has this transaction. */
  async untilSeen(txid: string): Promise<void> {
    await this.world.untilRow(`select 1 from deposits where txid = $1`, [txid]);
  }

  /** Until the newest final block is looked through. */
  async untilFollowed(): Promise<void> {
    await until('deposits at the final block', async () => {
      const [row] = await this.world.query(`select number from followed_blocks where subscriber = 'deposits'`);
      return Number(row!['number']) >= this.final;
    });
  }

  /** Made final and credited, as far as that is due. */
  async settle(): Promise<void> {
    await this.mine(6);
    await this.untilFollowed();
    await this.untilCredited();
  }

  async untilCredited(): Promise<void> {
    await until('all that is due credited', async () => {
      const due = await this.world.query(`select 1 from deposits where state = 'seen' and is_final`);
      return due.length === 0;
    });
  }

  /** What a USDT counts from now on. */
  async rate(sunPerUsdt: bigint | null): Promise<void> {
    await this.world.query('insert into deposit_rates (sun_per_usdt) values ($1) returning id', [sunPerUsdt]);
  }

  /** The states of all deposits. */
  async states(): Promise<string[]> {
    const rows = await this.world.query(`select state from deposits order by id`);
    return rows.map(({ state }) => String(state));
  }

  /** What the ledger has of deposits, by reference. */
  async credits(): Promise<Record<string, bigint>> {
    const rows = await this.world.query(`select reference, amount_sun from ledger_entries where kind = 'deposit'`);
    expect(new Set(rows.map(({ reference }) => reference)).size).toBe(rows.length);
    return Object.fromEntries(rows.map((row) => [String(row['reference']), row['amount_sun'] as bigint]));
  }

  close(): Promise<void> {
    return this.world.close();
  }
}
