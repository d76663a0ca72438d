import type { BlockHeader } from '../node/block-answer';
import type { BlockReads } from '../node/block-reads';
import { type Judge, NodeJudge } from '../proof/judge';
import type { WitnessSet } from '../witnesses/witness-set';

/** What headers are judged by (`CHAIN_PROOF`), and what that has to know beforehand. */
export abstract class ChainProof {
  abstract readonly judge: Judge;

  /** @throws NodeUnavailableError when nothing can be judged */
  abstract prepare(head: BlockHeader | null): Promise<void>;

  /** The judge does not believe a node's newest block, or, without one, finds nothing final: perhaps it knows too little. */
  abstract doubt(header: BlockHeader | null): Promise<void>;
}

/** `signatures`: nodes are asked who the witnesses are, and nothing else is believed of them. */
export class SignatureProof extends ChainProof {
  constructor(private readonly witnesses: WitnessSet) {
    super();
  }

  get judge(): Judge {
    return this.witnesses.judge;
  }

  prepare(head: BlockHeader | null): Promise<void> {
    return this.witnesses.prepare(head?.timeMs ?? null);
  }

  doubt(header: BlockHeader | null): Promise<void> {
    return this.witnesses.doubt(header);
  }
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
}
