import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../../database/sql';
import { statement } from '../../../database/statement';
import type { AcceptedBy } from './accepted-block.entity';

export interface AcceptedBlockRow {
  readonly number: bigint;
  readonly id: string;
  readonly digest: string;
  readonly accepted_by: AcceptedBy;
}

/** The newest of those that were accepted lately, and how many they are. */
export type RecentlyAccepted = AcceptedBlockRow & { readonly blocks: bigint };

const COLUMNS = 'number, id, digest, accepted_by';
const FIND = statement<[number: number], AcceptedBlockRow>(
  'accepted_blocks_find',
  `select ${COLUMNS} from accepted_blocks where number = $1`,
);
const BY_OPERATOR = statement<[numbers: readonly number[]], { number: bigint | null }>(
  'accepted_blocks_by_operator',
  `select min(number) as number from accepted_blocks where number = any($1::bigint[]) and accepted_by = 'operator'`,
);
/** Replaces another block at this height: a branch that an operator has accepted has undone that one. */
const KEEP = statement<[number: number, id: string, digest: string], AcceptedBlockRow>(
  'accepted_blocks_keep',
  `insert into accepted_blocks as kept (number, id, digest, accepted_by) values ($1, $2, $3, 'nodes')
   on conflict (number) do update
     set id = excluded.id, digest = excluded.digest, accepted_by = 'nodes', accepted_at = now() where kept.id <> excluded.id
   returning ${COLUMNS}`,
);
const ACCEPT = statement<[number: number, id: string, digest: string]>(
  'accepted_blocks_accept',
  `insert into accepted_blocks (number, id, digest, accepted_by) values ($1, $2, $3, 'operator')
   on conflict (number) do update
     set id = excluded.id, digest = excluded.digest, accepted_by = 'operator', accepted_at = now()`,
);
/** By the database's clock. */
const RECENT = statement<[], RecentlyAccepted>(
  'accepted_blocks_recent',
  `select ${COLUMNS}, count(*) over () as blocks from accepted_blocks
    where accepted_at > now() - interval '7 days' order by accepted_at desc, number desc limit 1`,
);

/** The table `accepted_blocks`. */
@Injectable()
export class AcceptedBlockRepository {
  constructor(private readonly sql: Sql) {}

  find(number: number, db: Queryable = this.sql): Promise<AcceptedBlockRow | null> {
    return db.row(FIND, [number]);
  }

  /** The lowest of these that an operator has accepted; null without one. */
  async findByOperator(numbers: readonly number[]): Promise<number | null> {
    const { number } = (await this.sql.row(BY_OPERATOR, [numbers]))!;
    return number === null ? null : Number(number);
  }

  /** By what all nodes list. False when it was accepted before, as it is or otherwise. */
  async keep(number: number, id: string, digest: string): Promise<boolean> {
    return (await this.sql.row(KEEP, [number, id, digest])) !== null;
  }

  /** By an operator, whatever was accepted before. */
  async accept(number: number, id: string, digest: string, db: Queryable): Promise<void> {
    await db.execute(ACCEPT, [number, id, digest]);
  }

  /** Null when none was accepted within a week. */
  findRecent(): Promise<RecentlyAccepted | null> {
    return this.sql.row(RECENT);
  }
}
