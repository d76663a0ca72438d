import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../../database/sql';
import { statement } from '../../../database/statement';
import type { ChainFaultKind } from './chain-fault.entity';

export interface ChainFaultRow {
  readonly kind: ChainFaultKind;
  readonly parameters: Readonly<Record<string, string>>;
}

const REPORT = statement<[kind: ChainFaultKind, parameters: string]>(
  'chain_faults_report',
  `insert into chain_faults as known (kind, parameters) values ($1, $2)
   on conflict (kind) do update set parameters = excluded.parameters, last_seen_at = excluded.last_seen_at`,
);
const CLEAR = statement<[kinds: readonly ChainFaultKind[]]>(
  'chain_faults_clear',
  'delete from chain_faults where kind = any($1)',
);
const CLEAR_OLD = statement<[kind: ChainFaultKind]>(
  'chain_faults_clear_old',
  `delete from chain_faults where kind = $1 and last_seen_at < now() - interval '3 minutes'`,
);
const LIST = statement<[], ChainFaultRow>(
  'chain_faults_list',
  'select kind, parameters from chain_faults order by kind',
);

/** The table `chain_faults`. */
@Injectable()
export class ChainFaultRepository {
  constructor(private readonly sql: Sql) {}

  list(): Promise<ChainFaultRow[]> {
    return this.sql.rows(LIST);
  }

  async report(kind: ChainFaultKind, parameters: Readonly<Record<string, string>>): Promise<void> {
    await this.sql.execute(REPORT, [kind, JSON.stringify(parameters)]);
  }

  /** An instance that finds a fault reports it every minute or so: one whose last report is older has ended, or finds it no more. */
  async clearOld(kind: ChainFaultKind): Promise<void> {
    await this.sql.execute(CLEAR_OLD, [kind]);
  }

  async clear(kinds: readonly ChainFaultKind[], db: Queryable = this.sql): Promise<void> {
    await db.execute(CLEAR, [kinds]);
  }
}
