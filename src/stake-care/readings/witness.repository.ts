import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';

/** What a node has said of a witness, last in a period. */
export interface WitnessRow {
  readonly address: string;
  readonly period: bigint;
  /** Block time. */
  readonly read_ms: bigint;
  readonly url: string;
  /** Among all candidates by votes, from 1 on; null: it is not among them. */
  readonly rank: number | null;
  readonly keeps_percent: number;
  readonly votes: bigint;
  readonly votes_of_paid: bigint;
  readonly made_blocks: bigint;
  readonly all_blocks: bigint;
  readonly block_pay_sun: bigint;
  readonly vote_pay_sun: bigint;
}

/** So many periods are kept: a week of six hours each. */
const KEPT_PERIODS = 28;

/**
 * Those that a wallet votes for or a care names, without those whose newest reading is younger. What was noted in the future was noted while
 * that clock was ahead.
 */
const DUE = statement<[everyMs: number], { address: string }>(
  'stake_witnesses_due',
  `with named as (
     select jsonb_array_elements_text(r.voted_for) as address
       from stake_readings r join pool_wallets w on w.id = r.wallet_id where w.removed_at is null
     union
     select v ->> 'witness' from stake_care c join pool_wallets w on w.id = c.wallet_id, jsonb_array_elements(c.votes) v
      where w.removed_at is null)
   select address from named
    where exists (select from named n
                   where not exists (select from stake_witnesses s
                                      where s.address = n.address
                                        and s.read_at between clock_timestamp() - $1::integer * interval '1 millisecond' and clock_timestamp()))
    order by address`,
);

const WRITE = statement<[rows: string]>(
  'stake_witnesses_write',
  `insert into stake_witnesses (address, period, read_at, read_ms, url, rank, keeps_percent, votes, votes_of_paid, made_blocks, all_blocks,
                                block_pay_sun, vote_pay_sun)
   select address, period, clock_timestamp(), read_ms, url, rank, keeps_percent, votes, votes_of_paid, made_blocks, all_blocks, block_pay_sun, vote_pay_sun
     from json_to_recordset($1::json)
       as s (address text, period bigint, read_ms bigint, url text, rank int, keeps_percent int, votes bigint, votes_of_paid bigint,
             made_blocks bigint, all_blocks bigint, block_pay_sun bigint, vote_pay_sun bigint)
    order by address
   on conflict (address, period) do update
     set read_at = excluded.read_at, read_ms = excluded.read_ms, url = excluded.url, rank = excluded.rank, keeps_percent = excluded.keeps_percent,
         votes = excluded.votes, votes_of_paid = excluded.votes_of_paid, made_blocks = excluded.made_blocks, all_blocks = excluded.all_blocks,
         block_pay_sun = excluded.block_pay_sun, vote_pay_sun = excluded.vote_pay_sun`,
);

const FORGET = statement<[before: number]>('stake_witnesses_forget', 'delete from stake_witnesses where period < $1');

const LIST = statement<[], WitnessRow>(
  'stake_witnesses',
  `select address, period, read_ms, url, rank, keeps_percent, votes, votes_of_paid, made_blocks, all_blocks, block_pay_sun, vote_pay_sun
     from stake_witnesses order by address, period`,
);

/** The table `stake_witnesses`. */
@Injectable()
export class WitnessRepository {
  constructor(private readonly sql: Sql) {}

  /** All that are named, when one of them was not read for so long; else none. */
  async findDue(everyMs: number): Promise<string[]> {
    return (await this.sql.rows(DUE, [everyMs])).map(({ address }) => address);
  }

  async write(rows: readonly WitnessRow[], period: number): Promise<void> {
    const asText = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
      ),
    );
    await this.sql.execute(WRITE, [JSON.stringify(asText)]);
    await this.sql.execute(FORGET, [period - KEPT_PERIODS]);
  }

  /** By witness, the oldest first. */
  async byAddress(): Promise<ReadonlyMap<string, readonly WitnessRow[]>> {
    const found = new Map<string, WitnessRow[]>();
    for (const row of await this.sql.rows(LIST)) found.set(row.address, [...(found.get(row.address) ?? []), row]);
    return found;
  }
}
