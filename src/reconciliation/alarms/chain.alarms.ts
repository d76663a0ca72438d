import { Injectable } from '@nestjs/common';
import { ChainFaultRepository, type ChainFaultRow } from '../../chain/verified-chain/faults/chain-fault.repository';
import { AcceptedBlockRepository } from '../../chain/observer/unproved/accepted-block.repository';
import { DatabaseIdentity } from '../../database/identity/database-identity';
import { type Finding, finding } from '../../findings/finding';
import type { FindingParameters } from '../../common/finding-reasons';

/** What keeps the chain from being believed, as the instances have noted it, and the database from being gone by. Asks no node. */
@Injectable()
export class ChainAlarms {
  constructor(
    private readonly faults: ChainFaultRepository,
    private readonly blocks: AcceptedBlockRepository,
    private readonly identity: DatabaseIdentity,
  ) {}

  async read(): Promise<Finding[]> {
    const differs = await this.identity.findDifference();
    const restored = differs === null ? [] : [finding('database_restored', { differs }, { type: 'database' })];
    return [...(await this.faults.list()).map(findingOf), ...(await this.accepted()), ...restored];
  }

  /** What was settled without a proof is for an operator to see for a week. */
  private async accepted(): Promise<Finding[]> {
    const newest = await this.blocks.findRecent();
    if (!newest) return [];
    const { number, id, accepted_by, blocks } = newest;
    const parameters = { number: String(number), id, accepted_by, blocks: String(blocks) };
    return [finding('block_accepted', parameters, { type: 'chain' })];
  }
}

function findingOf({ kind, parameters }: ChainFaultRow): Finding {
  // Written with the parameters of their kind.
  return finding(kind, parameters as FindingParameters[typeof kind], { type: 'chain' });
}
