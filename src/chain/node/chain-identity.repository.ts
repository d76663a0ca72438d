import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';

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

@Injectable()
export class ChainIdentityRepository {
  constructor(private readonly sql: Sql) {}

  /** The database's genesis block id; a database without one takes this one. Null in rare races. */
  async claim(genesisBlockId: string): Promise<string | null> {
    // Of two concurrent first claims, the losing insert does not see the other row in its own snapshot: it asks again.
    return (await this.tryClaim(genesisBlockId)) ?? (await this.tryClaim(genesisBlockId));
  }

  async find(): Promise<string | null> {
    return (await this.sql.row(READ))?.genesis_block_id ?? null;
  }

  private async tryClaim(genesisBlockId: string): Promise<string | null> {
    return (await this.sql.row(CLAIM, [genesisBlockId]))?.id ?? null;
  }
}
