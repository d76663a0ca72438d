import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { DepositSettings } from '../../config/deposits';
import { toBase58Address } from '../chain/tron/addresses';
import { nextTurn } from '../common/concurrency/next-turn';
import { IS_CONTINUOUS, IS_THIS_DATABASE } from '../database/identity/database-identity.sql';
import type { Queryable, SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { type AccountAddress, addressOf, nextNumber } from './account-addresses';
import { AddressFilter } from './address-filter';
import type { FoundTransfer } from './found-transfers';

/** More addresses than customers are given between a backup and its restore. */
export const LEFT_OUT = 1_000;
/** The addresses beyond the last one are derived again after so many blocks: far fewer than `LEFT_OUT` are given meanwhile. */
const LEARN_AGAIN_BLOCKS = 200;
/** With each address beyond that is new, blocks that were shown as heads are read once more: so many come at a time. */
const STEP = 200;
/** Public keys that are derived before others get their turn. */
const SLICE = 10;

/**
 * SQL: rows of `i` (`database_identity`) were never doubted, or the addresses that missing rows may have given are left out since the comparison
 * began. Not while rows are doubted and no comparison has begun: what gave an address then might be lost with them.
 */
export const ARE_LEFT_OUT = (i: string, account: string): string =>
  `(${i}.compared_block is null or ${account} = any(${i}.left_out_accounts))`;

/** SQL: a customer's address, or one that was left out and that something came in at. */
export const IS_USED = (a: string): string => `(${a}.user_id is not null or ${a}.unexplained_since is not null
        or exists (select from left_out_payments p where p.address = ${a}.address)
        or exists (select from deposits d where d.address = ${a}.address))`;

/** SQL: an operator has booked this payment (`left_out_payments`) by hand, or given quota for it, under its txid or as the deposit that a lost row called it. */
export const IS_BOOKED = (p: string): string =>
  `(exists (select from ledger_entries l where l.reference in (${p}.txid, ${p}.txid || ':' || ${p}.index))
    or exists (select from subscriptions q where q.reference in (${p}.txid, ${p}.txid || ':' || ${p}.index)))`;

/** A second instance waits for the first, and finds that it was done. */
const NOTE_LEFT_OUT = statement<[account: string]>(
  'deposit_addresses_note_left_out',
  `update database_identity i set left_out_accounts = array_append(i.left_out_accounts, $1::text)
    where ${IS_THIS_DATABASE('i')} and ${IS_CONTINUOUS('i')} and not ${ARE_LEFT_OUT('i', '$1::text')}`,
);
/** Customers may pay there by rows that are lost: the address becomes no other customer's. */
const LEAVE_OUT = statement<[addresses: string, account: string]>(
  'deposit_addresses_leave_out',
  `insert into deposit_addresses (address, hex, account, number)
   select n.address, n.hex, $2, n.number from json_to_recordset($1::json) as n (address text, hex text, number integer)
   on conflict do nothing`,
);
const RECORD = statement<[payments: string, blockNumber: number]>(
  'left_out_payments_record',
  `insert into left_out_payments (txid, index, address, asset, amount, block_number)
   select n.txid, n.index, n.address, n.asset, n.amount, $2
     from json_to_recordset($1::json) as n (txid text, index int, address text, asset text, amount bigint)
   on conflict do nothing`,
);
const UNDO = statement<[above: number]>(
  'left_out_payments_undo',
  'delete from left_out_payments where block_number > $1',
);

/**
 * Addresses of the account that no customer has by the rows: after a restore, customers may have been given them by rows that are lost. What is
 * paid there is recorded, and an operator decides whose it is.
 */
@Injectable()
export class LeftOutAddresses {
  private readonly logger = new Logger(LeftOutAddresses.name);
  /** By hex: the addresses from the last known one on, and some that have become customers' since. */
  private readonly beyond = new Map<string, number>();
  private learntAt = -Infinity;

  constructor(
    private readonly filter: AddressFilter,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** What a block of this height may pay, for the filter. */
  async learn(height: number, db: Queryable): Promise<void> {
    const { deposits } = this.configuration;
    if (!deposits || Math.abs(height - this.learntAt) < LEARN_AGAIN_BLOCKS) return;
    await this.filter.learn(db);
    const next = await nextNumber(deposits, db);
    const end = Math.ceil((next + LEFT_OUT) / STEP) * STEP;
    for (const { hex, number } of await this.derive(deposits, next, end - next)) {
      this.beyond.set(hex, number);
      this.filter.add(hex);
    }
    this.learntAt = height;
  }

  /** Whether it is one beyond the last that had a row, `41…` in hex. */
  isBeyond(hex: string): boolean {
    return this.beyond.has(hex);
  }

  /** Each once. Addresses up to those that were paid get rows: customers may have been given them as well. */
  async record(transfers: readonly FoundTransfer[], blockNumber: number, tx: SqlTransaction): Promise<void> {
    const { deposits } = this.configuration;
    const numbers = transfers.flatMap(({ to }) => this.beyond.get(to) ?? []);
    if (deposits && numbers.length > 0) {
      const next = await nextNumber(deposits, tx);
      await this.leaveOut(deposits, next, Math.max(...numbers) + 1 - next, tx);
    }
    const rows = transfers.map(({ txid, index, to, asset, amount }) => ({
      txid,
      index,
      address: toBase58Address(to),
      asset,
      amount: amount.toString(),
    }));
    await tx.execute(RECORD, [JSON.stringify(rows), blockNumber]);
  }

  /** Once for each comparison, before the first address that is given after it began: a doubt uses up no numbers where no customer asks. */
  async leaveOutDoubted(settings: DepositSettings, tx: SqlTransaction): Promise<void> {
    if ((await tx.execute(NOTE_LEFT_OUT, [settings.account.fingerprint])) === 0) return;
    await this.leaveOutMany(settings, tx);
    this.logger.warn(
      `The database may lack its latest rows: the next ${LEFT_OUT} deposit addresses are left out, because customers may know them`,
    );
  }

  /** `LEFT_OUT` from the last known one on, the first one of the account too. */
  async leaveOutMany(settings: DepositSettings, tx: SqlTransaction): Promise<void> {
    await this.leaveOut(settings, await nextNumber(settings, tx), LEFT_OUT, tx);
  }

  /** A branch without these blocks was accepted: it may have the payments in others. */
  async undo(above: number, tx: SqlTransaction): Promise<void> {
    await tx.execute(UNDO, [above]);
  }

  private async leaveOut(settings: DepositSettings, from: number, count: number, tx: SqlTransaction): Promise<void> {
    const addresses = await this.derive(settings, from, Math.max(0, count));
    await tx.execute(LEAVE_OUT, [JSON.stringify(addresses), settings.account.fingerprint]);
  }

  private async derive(settings: DepositSettings, from: number, count: number): Promise<AccountAddress[]> {
    const addresses: AccountAddress[] = [];
    for (let number = from; number < from + count; number++) {
      if (number % SLICE === 0) await nextTurn();
      addresses.push(addressOf(settings, number));
    }
    return addresses;
  }
}
