import { Injectable, Logger } from '@nestjs/common';
import { ChainIdentityRepository } from './chain-identity.repository';

/** A database belongs to one chain for good: that of the first node it is used with. */
@Injectable()
export class GenesisCheck {
  private readonly logger = new Logger(GenesisCheck.name);
  private remembered: string | null = null;
  /** By URL: logged once, not at each attempt. */
  private readonly refused = new Map<string, string>();

  constructor(private readonly identity: ChainIdentityRepository) {}

  /** As this process has it from the database. */
  get id(): string | null {
    return this.remembered;
  }

  /** True when the node's genesis block is the database's; claims it for a database that has none yet. */
  async accepts(genesisBlockId: string, url: string): Promise<boolean> {
    this.remembered ??= await this.identity.claim(genesisBlockId);
    if (this.remembered === genesisBlockId) {
      this.refused.delete(url);
      return true;
    }
    if (this.refused.get(url) === genesisBlockId) return false;
    this.refused.set(url, genesisBlockId);
    this.logger.error(
      `The node ${new URL(url).host} belongs to another chain: its genesis block is ${genesisBlockId}, that of this database is ${this.remembered}. It is not used.`,
    );
    return false;
  }
}
