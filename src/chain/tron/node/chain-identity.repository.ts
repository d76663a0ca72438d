import { Injectable } from '@nestjs/common';
import type { BlockId } from '../../proof/block-header';
import { type Queryable, Sql } from '../../../database/sql';
import { statement } from '../../../database/statement';

const CLAIM = statement<[genesisBlockId: string], { id: string }>(
  'chain_identity_claim',
  `with claimed as (
     insert into chain_identity (id, genesis_block_id) values (1, $1) on conflict (id) do nothing returning genesis_block_id
   )
   select genesis_block_id as id from claimed union all select genesis_block_id from chain_identity limit 1`,
);
const READ = statement<[], { genesis_block_id: string }>(
  'doctor_identity',
  'select genesis_block_id from chain_identity',
);
const READ_FINAL = statement<[], { number: bigint | null; id: string | null; at: Date | null; age_ms: number | null }>(
  'chain_identity_read_final',
  `select final_number as number, final_id as id, final_at as at,
          (extract(epoch from clock_timestamp() - final_at) * 1000)::float8 as age_ms
     from chain_identity`,
);
const REMEMBER_FINAL = statement<
  [number: number, id: string, seenNumber: number | null, seenId: string | null, timeMs: number | null]
>(
  'chain_identity_replace_final',
  `update chain_identity set final_number = $1, final_id = $2, final_at = to_timestamp($5::float8 / 1000)
    where final_number is not distinct from $3::bigint and final_id is not distinct from $4 and coalesce(final_number < $1, true)`,
);
const ACCEPT_FINAL = statement<[number: number, id: string, undoneId: string]>(
  'chain_identity_accept_final',
  'update chain_identity set final_number = $1, final_id = $2, final_at = null where final_id = $3',
);

/** A final block that an operator has accepted has no time. */
export interface StoredFinal extends BlockId {
  readonly timeMs: number | null;
  /** Age of the block by its own time and the database's clock; below zero while the chain is ahead of that clock. */
  readonly ageMs: number | null;
}

@Injectable()
export class ChainIdentityRepository {
  constructor(private readonly sql: Sql) {}

  /** The database's genesis block id; a database without one takes this one. Null in rare races. */
  async claim(genesisBlockId: string): Promise<string | null> {
    // When two first claims run at once, the losing insert does not see the other row in its own snapshot: it asks again.
    return (await this.tryClaim(genesisBlockId)) ?? (await this.tryClaim(genesisBlockId));
  }

  async find(): Promise<string | null> {
    return (await this.sql.row(READ))?.genesis_block_id ?? null;
  }

  /** A final block that an instance has gone by, or that an operator has accepted; null before the first. */
  async findFinal(db: Queryable = this.sql): Promise<StoredFinal | null> {
    const found = await db.row(READ_FINAL);
    if (!found?.id) return null;
    return { number: Number(found.number), id: found.id, timeMs: found.at?.getTime() ?? null, ageMs: found.age_ms };
  }

  /**
   * False when the stored one is not older, or is not the one any more that was `seen`: an operator's decision that came in between is
   * never undone.
   */
  async rememberFinal(
    { number, id, timeMs = null }: BlockId & { readonly timeMs?: number | null },
    seen: BlockId | null,
  ): Promise<boolean> {
    return (await this.sql.execute(REMEMBER_FINAL, [number, id, seen?.number ?? null, seen?.id ?? null, timeMs])) > 0;
  }

  /** False when the stored one is not the one any more that the branch was compared with. */
  async acceptFinal({ number, id }: BlockId, undone: BlockId, db: Queryable): Promise<boolean> {
    return (await db.execute(ACCEPT_FINAL, [number, id, undone.id])) > 0;
  }

  private async tryClaim(genesisBlockId: string): Promise<string | null> {
    return (await this.sql.row(CLAIM, [genesisBlockId]))?.id ?? null;
  }
}
