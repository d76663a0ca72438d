import { Injectable } from '@nestjs/common';
import { IS_OPEN } from '../../chain/transactions/outbox/chain-transaction.entity';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Days } from '../refusals/refused-attempt.repository';

/** A transaction whose burned fee is due, or still to come. */
export interface DueTransaction {
  readonly id: bigint;
  readonly tx_id: string;
  readonly wallet_id: string;
  readonly purpose: string;
  readonly is_open: boolean;
  readonly is_final: boolean;
  readonly block_number: bigint | null;
  readonly block_time_ms: bigint | null;
  /** A transaction with a lower id may still be uncommitted. */
  readonly is_young: boolean;
  /** A reading of its wallet minutes later still shows so much staked bandwidth that its bytes were paid from that. */
  readonly was_staked: boolean;
  /** After a day no answer about it is waited for. */
  readonly is_old: boolean;
}

/** What a wallet's transactions of one UTC day burned. */
export interface BurnedSum {
  readonly day: string;
  readonly wallet_id: string;
  readonly transactions: number;
  readonly burning: number;
  readonly burned_sun: bigint;
  readonly unread: number;
}

/** All wallets together. */
export interface Burned {
  readonly transactions: bigint;
  readonly burning: bigint;
  readonly burnedSun: bigint;
  readonly unread: bigint;
}

/** An instance that has died leaves the claim to the next one. */
const CLAIM = `clock_timestamp() + interval '2 minutes'`;
const CLAIM_MARK = statement<[], { transaction_id: bigint }>(
  'burned_claim_mark',
  `insert into burned_mark as m (id, transaction_id, claimed_until) values (1, 0, ${CLAIM})
   on conflict (id) do update set claimed_until = ${CLAIM}
    where m.claimed_until is null or m.claimed_until not between clock_timestamp() and ${CLAIM}
   returning transaction_id`,
);
const RELEASE_MARK = statement<[transactionId: bigint]>(
  'burned_release_mark',
  `update burned_mark set claimed_until = null where id = 1 and transaction_id = $1`,
);
const MOVE_MARK = statement<[from: bigint, to: bigint]>(
  'burned_move_mark',
  `update burned_mark set transaction_id = $2, claimed_until = ${CLAIM} where id = 1 and transaction_id = $1`,
);

/**
 * Staked bandwidth recovers over a day. Of what this much leaves of a quarter of an hour's recovery, every transaction of ours is paid, up to
 * a stake that gives 9.6 million bytes a day.
 */
const PLENTY_BYTES = 100_000;

/** In the order of their ids, which are given out before they are committed: no write of a transaction lasts three minutes. */
const DUE = statement<[after: bigint, limit: number], DueTransaction>(
  'burned_due',
  `select t.id, t.tx_id, t.wallet_id, t.purpose, t.${IS_OPEN} as is_open, t.state = 'final' as is_final,
          t.block_number, t.block_time_ms,
          t.state = 'final' and w.bandwidth - w.free_bandwidth >= ${PLENTY_BYTES} and w.observed_block >= t.block_number
            and t.created_at > clock_timestamp() - interval '15 minutes' as was_staked,
          t.created_at > clock_timestamp() - interval '3 minutes' as is_young,
          t.created_at < clock_timestamp() - interval '1 day' as is_old
     from chain_transactions t join pool_wallets w on w.id = t.wallet_id where t.id > $1 order by t.id limit $2`,
);

const ADD = statement<[sums: string]>(
  'burned_add',
  `insert into burned_days as d (day, wallet_id, transactions, burning, burned_sun, unread)
   select day, wallet_id, transactions, burning, burned_sun, unread
     from json_to_recordset($1::json)
       as s (day date, wallet_id uuid, transactions bigint, burning bigint, burned_sun bigint, unread bigint)
    order by day, wallet_id
   on conflict (day, wallet_id) do update
     set transactions = d.transactions + excluded.transactions, burning = d.burning + excluded.burning,
         burned_sun = d.burned_sun + excluded.burned_sun, unread = d.unread + excluded.unread`,
);

const SUM = statement<[from: string, to: string], Burned>(
  'burned_sum',
  `select coalesce(sum(transactions), 0)::bigint as transactions, coalesce(sum(burning), 0)::bigint as burning,
          coalesce(sum(burned_sun), 0)::bigint as "burnedSun", coalesce(sum(unread), 0)::bigint as unread
     from burned_days where day >= $1::date and day < $2::date`,
);

/** The tables `burned_days` and `burned_mark`. */
@Injectable()
export class BurnedBandwidthRepository {
  constructor(private readonly sql: Sql) {}

  /** The id up to which burned fees were read; null while another instance reads. */
  async claim(): Promise<bigint | null> {
    return (await this.sql.row(CLAIM_MARK))?.transaction_id ?? null;
  }

  async release(mark: bigint): Promise<void> {
    await this.sql.execute(RELEASE_MARK, [mark]);
  }

  due(after: bigint, limit: number): Promise<DueTransaction[]> {
    return this.sql.rows(DUE, [after, limit]);
  }

  /** Adds to the days what lies between the two marks. False, and nothing is added, when another instance has moved the mark. */
  add(from: bigint, to: bigint, sums: readonly BurnedSum[]): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      if ((await tx.execute(MOVE_MARK, [from, to])) === 0) return false;
      const rows = sums.map((sum) => ({ ...sum, burned_sun: sum.burned_sun.toString() }));
      if (rows.length > 0) await tx.execute(ADD, [JSON.stringify(rows)]);
      return true;
    });
  }

  /** Adds up whole UTC days. */
  async sum({ from, to }: Days): Promise<Burned> {
    return (await this.sql.row(SUM, [from, to]))!;
  }
}
