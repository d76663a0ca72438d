import { Injectable, Logger } from '@nestjs/common';
import { Sql } from '../../database/sql';

const CLAIM = {
  name: 'chain_identity_claim',
  text: `with claimed as (
           insert into chain_identity (id, genesis_block_id) values (1, $1) on conflict (id) do nothing returning genesis_block_id
         )
         select genesis_block_id as id from claimed union all select genesis_block_id from chain_identity limit 1`,
};

/** A database belongs to one chain for good: the first node it ever meets decides which. */
@Injectable()
export class GenesisCheck {
  private readonly logger = new Logger(GenesisCheck.name);
  private remembered: string | null = null;
  /** By URL: an outage is told once, not at each of its attempts. */
  private readonly refused = new Map<string, string>();

  constructor(private readonly sql: Sql) {}

  /** True when the node's genesis block is the database's; claims it for a database that has none yet. */
  async accepts(genesisBlockId: string, url: string): Promise<boolean> {
    // Concurrent first claims: the insert that loses sees nothing in its own snapshot, so it asks again.
    this.remembered ??=
      (await this.sql.row<{ id: string }>(CLAIM, [genesisBlockId]))?.id ??
      (await this.sql.row<{ id: string }>(CLAIM, [genesisBlockId]))?.id ??
      null;
    if (this.remembered === genesisBlockId) {
      this.refused.delete(url);
      return true;
    }
    if (this.refused.get(url) === genesisBlockId) return false;
    this.refused.set(url, genesisBlockId);
    this.logger.error(
      `The node ${new URL(url).host} is of another chain: its genesis block is ${genesisBlockId}, this database belongs to ${this.remembered}. It is not used.`,
    );
    return false;
  }
}
