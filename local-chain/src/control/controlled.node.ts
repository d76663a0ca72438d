import type { ChainNode } from '../chain/chain.node';
import type { NodeSight } from '../http/node.sight';
import type { FaultPlan } from './fault.plan';

/** One node of the chain, with what its HTTP interface gets wrong and what it sees. */
export interface ControlledNode {
  readonly node: ChainNode;
  readonly faults: FaultPlan;
  readonly sight: NodeSight;
  /** `openAnother` serves one more node of the same chain, and gives its URL. */
  readonly options: { openAnother(): Promise<string> };
}
