import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import type { Statement } from '../database/statement';
import {
  CHANGED_ORDERS,
  NEW_LEDGER_ENTRIES,
  type NewLedgerEntry,
  OPEN_SUBJECTS,
  type OpenSubject,
  type PayingRows,
  PAYING_ROWS,
} from './changed-rows.statements';
import type { Keys } from './checks/run-checks';
import type { Mark } from './reconcile-mark.repository';

const BATCH = 5_000;

/** What can be otherwise than it was when it was last found right: rows that changed, and what findings are about. */
@Injectable()
export class ChangedRows {
  constructor(private readonly sql: Sql) {}

  async since(mark: Mark): Promise<Keys> {
    const changed = new Rows();
    for (const subject of await this.sql.rows(OPEN_SUBJECTS)) changed.addSubject(subject);
    for await (const rows of this.batches(CHANGED_ORDERS, mark.events_up_to)) {
      for (const row of rows) changed.orders.add(row.delegation_id);
    }
    for await (const rows of this.batches(NEW_LEDGER_ENTRIES, mark.entries_up_to)) {
      for (const row of rows) changed.addEntry(row);
    }
    const orders = [...changed.orders];
    for (let at = 0; at < orders.length; at += BATCH) {
      const payers = await this.sql.rows(PAYING_ROWS, [orders.slice(at, at + BATCH)]);
      for (const payer of payers) changed.addPayingRows(payer);
    }
    return changed.keys();
  }

  private async *batches<Row extends { readonly id: bigint }>(
    statement: Statement<[after: bigint, limit: number], Row>,
    after: bigint,
  ): AsyncGenerator<Row[]> {
    for (let from = after; ;) {
      const rows = await this.sql.rows(statement, [from, BATCH]);
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH) return;
      from = rows.at(-1)!.id;
    }
  }
}

class Rows {
  readonly orders = new Set<string>();
  private readonly transactions = new Set<bigint>();
  private readonly users = new Set<string>();
  private readonly entries = new Set<bigint>();
  private readonly subscriptions = new Set<string>();
  private readonly deposits = new Set<string>();
  private readonly tokenDays = new Set<bigint>();

  addEntry({ id, user_id: user }: NewLedgerEntry): void {
    this.entries.add(id);
    this.users.add(user);
  }

  addPayingRows({ user_id: user, subscription_id: subscription, token_day_id: tokenDay }: PayingRows): void {
    this.users.add(user);
    if (subscription !== null) this.subscriptions.add(subscription);
    if (tokenDay !== null) this.tokenDays.add(tokenDay);
  }

  /** Wallets and what is lent are compared in full with every run. */
  addSubject({ subject_type: type, subject_id: id, transaction_id: transaction }: OpenSubject): void {
    if (transaction !== null) this.transactions.add(transaction);
    if (id === null) return;
    if (type === 'delegation') this.orders.add(id);
    else if (type === 'user') this.users.add(id);
    else if (type === 'subscription') this.subscriptions.add(id);
    else if (type === 'deposit') this.deposits.add(id);
    else if (type === 'token_day') this.tokenDays.add(BigInt(id));
    else if (type === 'ledger_entry') this.entries.add(BigInt(id));
  }

  keys(): Keys {
    return {
      users: [...this.users],
      accounts: [...this.users],
      ledger_entries: [...this.entries],
      subscriptions: [...this.subscriptions],
      deposits: [...this.deposits],
      token_days: [...this.tokenDays],
      holds: [...this.orders],
      delegations: [...this.orders],
      chain_transactions: [...this.transactions],
    };
  }
}
