import type { Client } from 'pg';
import { ExtendedPublicKey } from '../../../config/extended-public-key';
import { publishedAccounts } from '../../../local-chain/src/genesis.accounts';
import { resultOf } from '../../../local-chain/src/chain/transaction.receipt';
import { sign } from '../../../local-chain/src/signing/secp256k1';
import { OTHER_TOKEN_ADDRESS, TOKEN_ADDRESS } from '../../../local-chain/src/token/token.model';
import { toBase58Address, toHexAddress } from '../../../src/chain/tron/addresses';
import { addressAt, XPUB } from '../../support/deposit-account';
import type { Kernel } from '../kernel/kernel';
import type { SimChain } from '../network/sim-chain';
import type { Action, Payment } from './plan';
import { CLAIM } from '../../../src/database/identity/database-identity';
import type { Setting } from './setup';
import type { Tally } from './tally';

type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;
export type DepositAction = Of<'payment' | 'rate'>;

export interface Rate {
  readonly sinceMs: number;
  readonly sunPerUsdt: bigint | null;
}

export interface Included {
  readonly height: number;
  readonly timeMs: number;
}

const FEE_LIMIT_SUN = 100_000_000;
const TOO_LITTLE_SUN = 1_000_000;
/** USDT: more than there is. */
const TOO_MUCH = 10n ** 17n;

const word = (value: bigint | string) => (typeof value === 'string' ? value : value.toString(16)).padStart(64, '0');

export function isOfDeposits(action: Action): action is DepositAction {
  return action.kind === 'payment' || action.kind === 'rate';
}

/** What customers pay and what operators say a USDT counts: the truth that credits are compared with. */
export class Payments {
  /** By txid: each that the network took and that is to be credited once it is in a final block, successful. */
  readonly due = new Map<string, Payment>();
  /** The others: what moves no money of a customer, or not by its own bytes. */
  readonly undue = new Set<string>();
  readonly rates: Rate[] = [];

  constructor(
    private readonly kernel: Kernel,
    private readonly chain: SimChain,
    private readonly database: Client,
    private readonly tally: Tally,
  ) {}

  /** The account of the user at this place has the address of the same number. */
  async begin({ users }: Setting): Promise<void> {
    // As the first instance does before a customer can have an address: else what is there looks like a restore that is under way.
    await this.database.query(CLAIM.text, [false]);
    const account = (ExtendedPublicKey.read(XPUB) as ExtendedPublicKey).fingerprint;
    for (const [number, { id }] of users.entries()) {
      const address = addressAt(number);
      await this.database.query(
        `insert into deposit_addresses (address, hex, account, number, user_id) values ($1, $2, $3, $4, $5)`,
        [address, toHexAddress(address), account, number, id],
      );
    }
    const { finalHeight, blocks } = this.chain.node;
    await this.database.query(`insert into followed_blocks (subscriber, number, id) values ('deposits', $1, $2)`, [
      finalHeight,
      blocks.find(finalHeight)!.id,
    ]);
  }

  async carryOut(action: DepositAction, { wallets }: Setting): Promise<void> {
    if (action.kind === 'rate') return this.setRate(action.sunPerUsdt);
    const { payment } = action;
    this.tally.add(`payment, ${payment.way}`);
    const address = addressAt(payment.user);
    switch (payment.way) {
      case 'from a pool wallet': {
        const txId = await this.chain.sign('createtransaction', wallets[0]!, {
          to_address: address,
          amount: payment.units,
        });
        if (txId !== null) this.chain.foreignTxIds.set(txId, wallets[0]!.address);
        return this.note(txId, payment, false);
      }
      case 'by a contract, to several': {
        const payments = [{ address, amount: payment.units }];
        if (payment.user > 0) payments.push({ address: addressAt(0), amount: payment.units });
        const { txid } = await this.chain.control('payment', { asset: payment.asset, payments });
        return this.note(txid as string, payment, false);
      }
      case 'plainly':
      case 'with a dirty address word':
      case 'without enough energy':
      case 'of more than there is':
      case 'in another token':
        return this.pay(address, payment);
      default:
        throw new Error(`no such way to pay: ${JSON.stringify(payment.way satisfies never)}`);
    }
  }

  /** Where a payment is now, if it moved what it says. */
  included(txid: string): Included | null {
    const found = this.chain.node.blocks.findTransaction(txid);
    if (!found || resultOf(found.receipt) !== 'SUCCESS') return null;
    return { height: found.height, timeMs: this.chain.node.blocks.find(found.height)!.timestamp };
  }

  private async setRate(sunPerUsdt: number | null): Promise<void> {
    const rate = { sinceMs: this.kernel.nowMs, sunPerUsdt: sunPerUsdt === null ? null : BigInt(sunPerUsdt) };
    this.tally.add(sunPerUsdt === null ? 'rate taken back' : 'rate');
    this.rates.push(rate);
    await this.database.query(
      `insert into deposit_rates (sun_per_usdt, since) values ($1, to_timestamp($2::float8 / 1000))`,
      [rate.sunPerUsdt, rate.sinceMs],
    );
  }

  private async pay(address: string, payment: Payment): Promise<void> {
    const { way, asset, units } = payment;
    if (asset === 'TRX' && (way === 'plainly' || way === 'with a dirty address word')) {
      const txId = await this.chain.sign('createtransaction', RICH, { to_address: address, amount: units });
      return this.note(txId, payment, true);
    }
    const hex = toHexAddress(address).slice(2);
    const recipient = way === 'with a dirty address word' ? '5a'.repeat(12) + hex : hex;
    const amount = way === 'of more than there is' ? TOO_MUCH : BigInt(units);
    const token = way === 'in another token' ? OTHER_TOKEN_ADDRESS : TOKEN_ADDRESS;
    const built = await this.chain.ask('wallet/triggersmartcontract', {
      owner_address: RICH.address,
      contract_address: toBase58Address(token),
      data: `a9059cbb${word(recipient)}${word(amount)}`,
      fee_limit: way === 'without enough energy' ? TOO_LITTLE_SUN : FEE_LIMIT_SUN,
      visible: true,
    });
    const transaction = built['transaction'] as { txID: string } | undefined;
    if (!transaction) throw new Error(`no such call: ${JSON.stringify(built)}`);
    const signature = sign(Buffer.from(transaction.txID, 'hex'), RICH.key).toString('hex');
    const sent = await this.chain.ask('wallet/broadcasttransaction', { ...transaction, signature: [signature] });
    this.note(
      sent['result'] === true ? transaction.txID : null,
      { ...payment, asset: 'USDT' },
      token === TOKEN_ADDRESS,
    );
  }

  private note(txId: string | null, payment: Payment, isDue: boolean): void {
    this.kernel.log(`payment ${payment.way} ${payment.units} ${payment.asset}: ${txId ?? 'not taken'}`);
    if (txId === null) return;
    if (isDue) this.due.set(txId, payment);
    else this.undue.add(txId);
  }
}

const RICH = (() => {
  const { address, private_key: key } = publishedAccounts().find(({ role }) => role === 'rich')!;
  return { address, key };
})();
