import { Injectable } from '@nestjs/common';
import { LatestRead } from '../../../common/concurrency/latest-read';
import { ChainReads } from '../node/chain-reads';
import { HeadState } from './head-state';

/** The state at the present head block. A new block begins a new one, and so does another block at the same height. */
@Injectable()
export class HeadStates {
  private state: HeadState | null = null;
  private readonly newest: LatestRead<HeadState>;

  constructor(private readonly reads: ChainReads) {
    this.newest = new LatestRead(() => this.read());
  }

  /** @throws NodeUnavailableError */
  now(): Promise<HeadState> {
    return this.newest.get();
  }

  private async read(): Promise<HeadState> {
    const blockId = await this.reads.headId();
    if (this.state?.blockId !== blockId) this.state = new HeadState(blockId, this.reads);
    return this.state;
  }
}
