import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { type BlockSubscriber, BlockSubscribers, type FollowedFinal } from '../chain/observer/block-subscribers';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { toBase58Address, toHexAddress } from '../chain/tron/addresses';
import type { Block } from '../chain/tron/node/block-answer';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import type { RawTransaction } from '../chain/proof/block-transactions';
import { AddressFilter } from './address-filter';
import { CreditDeposits } from './credit-deposits';
import { decideDeposit } from './decide-deposit';
import { DepositAddresses } from './deposit-addresses';
import { DepositEvents } from './deposit-events';
import { DepositRates } from './deposit-rates';
import { DROP, LEAVE_TO_OPERATOR, READ_AGAIN, SEE, SETTLE } from './deposit.statements';
import { depositsOf, type FoundTransfer, transfersIn } from './found-transfers';
import { LeftOutAddresses } from './left-out-addresses';
import { SCANNER } from './scanner-name';

/** So far below the newest final block, no other instance gives a block any more that this one was shown as a head. */
const KEPT_BLOCKS = 200;

interface Scanned {
  readonly number: number;
  /** To recipients that the filter had. */
  readonly transfers: readonly FoundTransfer[];
  /** The filter's then: once it has more, these transfers may lack some. */
  readonly filterSize: number;
}

/**
 * Looks for transfers to customers' addresses in blocks. A head block makes a deposit `seen`, which counts for nothing; what becomes of it
 * is decided in the transaction that records the final block as looked through, and the credit follows in one of its own.
 */
@Injectable()
export class DepositScanner implements BlockSubscriber {
  readonly name = SCANNER;
  private readonly logger = new Logger(DepositScanner.name);
  /** By block id: what blocks that were shown as heads may pay us, so that none is read a second time once it is final. */
  private readonly scanned = new Map<string, Scanned>();
  private readonly usdt: string;

  constructor(
    private readonly sql: Sql,
    private readonly filter: AddressFilter,
    private readonly addresses: DepositAddresses,
    private readonly leftOut: LeftOutAddresses,
    private readonly rates: DepositRates,
    private readonly events: DepositEvents,
    private readonly credits: CreditDeposits,
    private readonly wallets: PoolWallets,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    subscribers: BlockSubscribers,
  ) {
    this.usdt = toHexAddress(configuration.nodes.usdtContract);
    // While deposits are off its place among final blocks stays where it is: it goes on from there.
    if (configuration.deposits) subscribers.add(this);
  }

  wantsBodies(): boolean {
    return true;
  }

  knows(id: string): boolean {
    return this.scanned.get(id)?.filterSize === this.filter.size;
  }

  /** What fails here delays a customer's view of a deposit, and must not delay the follower. */
  async onHead({ id, number, timeMs, transactions }: Block): Promise<void> {
    const bytes = transactions?.bytes;
    if (!bytes || this.knows(id)) return;
    try {
      await this.leftOut.learn(number, this.sql);
      const transfers = this.transfersIn(bytes);
      this.scanned.set(id, { number, transfers, filterSize: this.filter.size });
      await this.see({ id, number, timeMs }, transfers);
    } catch (error) {
      this.logger.warn({ err: error }, `Deposits in block ${number} are shown once it is final`);
    }
  }

  /** A block that is not proved has no transfers here: an operator decides what was seen in it. */
  async onFinal({ id, number, timeMs, transactions, isUnproved }: FollowedFinal, tx: SqlTransaction): Promise<void> {
    // Each address that has a row by now counts, as if the block were looked through only here.
    await this.filter.learn(tx);
    if (transactions) await this.leftOut.learn(number, tx);
    const known = this.knows(id) ? this.scanned.get(id)!.transfers : null;
    // It may be forgotten between the feed's question and this: as a block without transfers it would drop what was seen in it.
    if (!known && !transactions && !isUnproved)
      throw new Error(
        `block ${number} came without its transactions, and its transfers are forgotten: it is read again`,
      );
    const transfers = known ?? this.transfersIn(transactions ?? new Map());
    const { found, leftOut } = await this.look(transfers, tx);
    if (leftOut.length > 0) await this.recordLeftOut(leftOut, number, tx);
    if (found.length > 0) {
      const isRateNeeded = found.some(({ worth }) => worth.asset === 'USDT');
      const sunPerUsdt = isRateNeeded ? await this.rates.sunAt(timeMs, tx) : null;
      const rows = found.map(({ worth, ...deposit }) => {
        const decision = decideDeposit(worth, sunPerUsdt, this.configuration.deposits!);
        const { state, rateSun, creditSun, waitsFor } = decision;
        return {
          ...deposit,
          state,
          waits_for: waitsFor,
          rate_sun: rateSun?.toString(),
          credit_sun: creditSun?.toString(),
        };
      });
      const settled = await tx.rows(SETTLE, [JSON.stringify(rows), number, id, timeMs]);
      await tx.execute(READ_AGAIN, [[...new Set(rows.map(({ address }) => address))]]);
      const waiting = settled.filter(({ state }) => state === 'waiting');
      await this.events.write(
        tx,
        'deposit.waiting',
        waiting.map((one) => one.id),
      );
    }
    if (isUnproved) await this.leaveToOperator({ id, number }, tx);
    tx.defer(tx.execute(DROP, [number]));
  }

  onTurn(height: number): void {
    for (const [id, { number }] of this.scanned) if (number < height - KEPT_BLOCKS) this.scanned.delete(id);
    this.credits.begin();
  }

  private async leaveToOperator({ id, number }: Pick<Block, 'id' | 'number'>, tx: SqlTransaction): Promise<void> {
    this.logger.error(`Block ${number} is not proved: what was not seen in it is found by what addresses hold`);
    const left = await tx.rows(LEAVE_TO_OPERATOR, [id, `block ${number} was accepted without proof`]);
    await this.events.write(
      tx,
      'deposit.waiting',
      left.map((one) => one.id),
    );
  }

  private async see(
    { id, number, timeMs }: Pick<Block, 'id' | 'number' | 'timeMs'>,
    transfers: readonly FoundTransfer[],
  ): Promise<void> {
    const { found } = await this.look(transfers, this.sql);
    if (found.length === 0) return;
    const rows = found.map(({ worth: _worth, ...deposit }) => deposit);
    await this.sql.transaction(async (tx) => {
      const seen = await tx.rows(SEE, [JSON.stringify(rows), number, id, timeMs]);
      await this.events.write(
        tx,
        'deposit.seen',
        seen.map((one) => one.id),
      );
    });
  }

  private transfersIn(transactions: ReadonlyMap<string, RawTransaction>): FoundTransfer[] {
    return transfersIn(transactions, this.usdt, (recipient) => this.filter.mayHave(recipient));
  }

  /** Those to customers as rows to be, and those to addresses of which the rows do not say whose they are. */
  private async look(transfers: readonly FoundTransfer[], db: Queryable) {
    if (transfers.length === 0) return { found: [], leftOut: [] };
    const known = await this.addresses.withRow([...new Set(transfers.map(({ to }) => to))], db);
    const unknown = transfers.filter(({ to }) => !known.has(to) && this.leftOut.isBeyond(to));
    const toUs = transfers.filter(({ to }) => known.has(to));
    if (toUs.length + unknown.length === 0) return { found: [], leftOut: [] };
    // An activation is a transfer too: what the pool's own wallets send was not paid by a customer.
    const ours = await this.wallets.everOwnedAmong([...new Set([...toUs, ...unknown].map(senderOf))], db);
    const paid = toUs.filter((transfer) => !ours.has(senderOf(transfer)));
    const withoutCustomer = paid.filter(({ to }) => known.get(to)!.user_id === null);
    return {
      found: depositsOf(paid, known),
      leftOut: [...withoutCustomer, ...unknown.filter((transfer) => !ours.has(senderOf(transfer)))],
    };
  }

  private async recordLeftOut(payments: readonly FoundTransfer[], number: number, tx: SqlTransaction): Promise<void> {
    this.logger.error(`Block ${number} pays addresses whose customers the database does not know`);
    await this.leftOut.record(payments, number, tx);
    await tx.execute(READ_AGAIN, [[...new Set(payments.map(({ to }) => toBase58Address(to)))]]);
  }
}

const senderOf = ({ owner }: FoundTransfer) => toBase58Address(owner);
