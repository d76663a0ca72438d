import { Injectable } from '@nestjs/common';
import { ChainFaultRepository, type ChainFaultRow } from '../../chain/faults/chain-fault.repository';
import { DatabaseIdentity } from '../../database/identity/database-identity';
import { type Finding, finding } from '../../findings/finding';
import type { FindingParameters } from '../../findings/finding-reasons';

/** What keeps the chain from being believed, as the instances have noted it, and the database from being gone by. Asks no node. */
@Injectable()
export class ChainAlarms {
  constructor(
    private readonly faults: ChainFaultRepository,
    private readonly identity: DatabaseIdentity,
  ) {}

  async read(): Promise<Finding[]> {
    const differs = await this.identity.findDifference();
    const restored = differs === null ? [] : [finding('database_restored', { differs }, { type: 'database' })];
    return [...(await this.faults.list()).map(findingOf), ...restored];
  }
}

function findingOf({ kind, parameters }: ChainFaultRow): Finding {
  // Written with the parameters of their kind.
  return finding(kind, parameters as FindingParameters[typeof kind], { type: 'chain' });
}
