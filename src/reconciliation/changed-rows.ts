import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../database/sql';
import type { Keys } from './checks/run-checks';

/** Up to where changes were looked at. */
export interface Mark {
  readonly events_up_to: bigint;
  readonly entries_up_to: bigint;
}

const BATCH = 5_000;

/** Null until everything was looked at once, and again when that is a day ago, or is to come: the clock was ahead then. */
const MARK: Statement = {
  name: 'reconcile_mark',
  text: `select events_up_to, entries_up_to from reconcile_mark where whole_at between now() - interval '1 day' and now()`,
};
/** Ids are given out before they are committed: what is ten minutes old is there, and what is younger is looked at again. */
const OLD_ENOUGH = (table: string) => `coalesce((
  select id from ${table} where at < clock_timestamp() - interval '10 minutes' order by id desc limit 1), 0)`;
const NEXT_MARK: Statement = {
  name: 'reconcile_next_mark',
  text: `select ${OLD_ENOUGH('delegation_events')} as events_up_to, ${OLD_ENOUGH('ledger_entries')} as entries_up_to`,
};
const SET_MARK: Statement = {
  name: 'reconcile_set_mark',
  text: `insert into reconcile_mark (id, events_up_to, entries_up_to, whole_at) values (1, $1, $2, now())
         on conflict (id) do update set events_up_to = excluded.events_up_to, entries_up_to = excluded.entries_up_to,
           whole_at = case when $3 then excluded.whole_at else reconcile_mark.whole_at end`,
};
const CHANGED_ORDERS: Statement = {
  name: 'reconcile_changed_orders',
  text: `select id, delegation_id from delegation_events where id > $1 order by id limit $2`,
};
const NEW_ENTRIES: Statement = {
  name: 'reconcile_new_entries',
  text: `select id, user_id from ledger_entries where id > $1 order by id limit $2`,
};
const PAYERS: Statement = {
  name: 'reconcile_payers',
  text: `select distinct user_id, subscription_id from holds where delegation_id = any($1::uuid[])`,
};
/** What a finding is about is looked at until it is gone, however old it is. */
const OPEN_FINDINGS: Statement = {
  name: 'reconcile_open_findings',
  text: `select f.subject, t.id as transaction_id from findings f
           left join chain_transactions t on t.tx_id = substring(f.subject from '^transaction (.*)$')
          where f.resolved_at is null`,
};

/** What can be otherwise than it was when it was last found right: rows that changed, and what findings are about. */
@Injectable()
export class ChangedRows {
  constructor(private readonly sql: Sql) {}

  /** Null when everything is to be looked at. */
  mark(): Promise<Mark | null> {
    return this.sql.row<Mark & Record<string, unknown>>(MARK);
  }

  /** Read before the rows are: what changes meanwhile lies behind it. */
  async nextMark(): Promise<Mark> {
    return (await this.sql.row<Mark & Record<string, unknown>>(NEXT_MARK))!;
  }

  async setMark({ events_up_to: events, entries_up_to: entries }: Mark, whole: boolean): Promise<void> {
    await this.sql.execute(SET_MARK, [events, entries, whole]);
  }

  async since(mark: Mark): Promise<Keys> {
    const changed = new Rows();
    for (const { subject, transaction_id: transaction } of await this.sql.rows<OpenFinding>(OPEN_FINDINGS)) {
      changed.addSubject(subject);
      if (transaction !== null) changed.transactions.add(transaction);
    }
    for await (const rows of this.batches<ChangedOrder>(CHANGED_ORDERS, mark.events_up_to)) {
      for (const row of rows) changed.orders.add(row.delegation_id);
    }
    for await (const rows of this.batches<NewEntry>(NEW_ENTRIES, mark.entries_up_to)) {
      for (const row of rows) changed.addEntry(row);
    }
    const orders = [...changed.orders];
    for (let at = 0; at < orders.length; at += BATCH) {
      const payers = await this.sql.rows<Payer>(PAYERS, [orders.slice(at, at + BATCH)]);
      for (const payer of payers) changed.addPayer(payer);
    }
    return changed.keys();
  }

  private async *batches<Row extends { id: bigint }>(statement: Statement, after: bigint): AsyncGenerator<Row[]> {
    for (let from = after; ;) {
      const rows = await this.sql.rows<Row & Record<string, unknown>>(statement, [from, BATCH]);
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH) return;
      from = rows.at(-1)!.id;
    }
  }
}

type OpenFinding = { subject: string; transaction_id: bigint | null };
type ChangedOrder = { id: bigint; delegation_id: string };
type NewEntry = { id: bigint; user_id: string };
type Payer = { user_id: string; subscription_id: string | null };

class Rows {
  readonly orders = new Set<string>();
  readonly transactions = new Set<bigint>();
  private readonly users = new Set<string>();
  private readonly entries = new Set<bigint>();
  private readonly subscriptions = new Set<string>();

  addEntry({ id, user_id: user }: NewEntry): void {
    this.entries.add(id);
    this.users.add(user);
  }

  addPayer({ user_id: user, subscription_id: subscription }: Payer): void {
    this.users.add(user);
    if (subscription !== null) this.subscriptions.add(subscription);
  }

  /** As the checks name what they found. */
  addSubject(subject: string): void {
    const id = subject.slice(subject.lastIndexOf(' ') + 1);
    if (subject.startsWith('delegation ')) this.orders.add(id);
    else if (subject.startsWith('user ')) this.users.add(id);
    else if (subject.startsWith('subscription ')) this.subscriptions.add(id);
    else if (subject.startsWith('ledger entry ')) this.entries.add(BigInt(id));
  }

  keys(): Keys {
    return {
      users: [...this.users],
      accounts: [...this.users],
      ledger_entries: [...this.entries],
      subscriptions: [...this.subscriptions],
      holds: [...this.orders],
      delegations: [...this.orders],
      chain_transactions: [...this.transactions],
    };
  }
}
