import { Injectable } from '@nestjs/common';
import { ChainFaultRepository, type ChainFaultRow } from '../../chain/faults/chain-fault.repository';
import { type Finding, finding } from '../../findings/finding';
import type { FindingParameters } from '../../findings/finding-reasons';

/** What keeps the chain from being believed, as the instances have noted it. Asks no node. */
@Injectable()
export class ChainAlarms {
  constructor(private readonly faults: ChainFaultRepository) {}

  async read(): Promise<Finding[]> {
    return (await this.faults.list()).map(findingOf);
  }
}

function findingOf({ kind, parameters }: ChainFaultRow): Finding {
  // Written with the parameters of their kind.
  return finding(kind, parameters as FindingParameters[typeof kind], { type: 'chain' });
}
