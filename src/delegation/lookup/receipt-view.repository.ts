import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { OrderScope } from './order-lookup';

/** A final delegation with what proves its place in its block. */
export interface ReceiptRow {
  readonly tx_id: string;
  readonly receiver: string;
  readonly stake_sun: bigint;
  readonly raw: Buffer;
  readonly tail: Buffer;
  readonly branch: Buffer;
  readonly block_number: bigint;
  readonly block_id: string;
  readonly block_time_ms: bigint;
}

const FIND = statement<[id: string, userId: string | null, receivers: readonly string[] | null], ReceiptRow>(
  'delegation_receipt',
  `select t.tx_id, d.receiver, t.amount_sun as stake_sun, t.raw_data as raw, t.tail, t.branch,
          t.block_number, t.block_id, t.block_time_ms
     from delegations d join chain_transactions t on t.subject_id = d.id
    where d.id = $1 and ($2::uuid is null or d.user_id = $2) and ($3::text[] is null or d.receiver = any($3))
      and t.purpose = 'delegation' and t.state = 'final' and t.tail is not null`,
);

@Injectable()
export class ReceiptViewRepository {
  constructor(private readonly sql: Sql) {}

  /** Null when there is none in this scope. */
  find(id: string, { userId = null, receivers = null }: OrderScope): Promise<ReceiptRow | null> {
    return this.sql.row(FIND, [id, userId, receivers]);
  }
}
