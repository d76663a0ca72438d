import type { BlockHeader } from '../proof/block-header';
import type { BlockReads } from '../tron/node/block-reads';
import type { HeaderChain } from '../proof/header-chain';
import { type Judge, NodeJudge } from '../proof/judge';

/** What headers are judged by (`CHAIN_PROOF`), and what that has to know beforehand: `WitnessSet`, or the following. */
export abstract class ChainProof {
  abstract readonly judge: Judge;

  /**
   * @param headTimeMs block time of the verified head; null before there is one
   * @throws NodeUnavailableError when nothing can be judged
   */
  abstract prepare(headTimeMs: number | null): Promise<void>;

  /** The judge does not believe a node's newest block, or, without one, finds nothing final: perhaps it knows too little. */
  abstract doubt(header: BlockHeader | null): Promise<void>;

  /** The chain has moved: it may prove whose signatures count from now on. True when the judge has learned of others. */
  abstract learn(chain: HeaderChain): Promise<boolean>;
}

/** `nodes`: a node says what is solid. Headers still have to link, and final still never steps back. */
export class NodeProof extends ChainProof {
  readonly judge = new NodeJudge();

  constructor(private readonly reads: BlockReads) {
    super();
  }

  async prepare(): Promise<void> {
    this.judge.solid = await this.reads.newestSolid();
  }

  async doubt(): Promise<void> {
    // It believes every header.
  }

  learn(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
