import { Logger } from '@nestjs/common';
import { DoubtfulBlockError, type BlockHeader, headerOf } from './block-answer';
import { unknownFields } from '../proof/block-id';

/**
 * A header is proved when its id can be computed from its fields. Headers with fields that a later release of the node has added cannot
 * be proved; refusing them would stop the service for good, so they are used, and callers that decide by block time check more
 * (`BlockHeader.proved`). The same holds on a chain that computes ids in another way, as long as no header of it ever matched.
 */
export class HeaderProof {
  private readonly logger = new Logger(HeaderProof.name);
  private hasProved = false;
  private hasWarned = false;

  /** @throws DoubtfulBlockError when the header is not the one that has this id */
  check(header: BlockHeader, json: Record<string, unknown>): void {
    if (header.proved) {
      this.hasProved = true;
      return;
    }
    const unknown = unknownFields(headerOf(json));
    if (unknown.length === 0 && this.hasProved)
      throw new DoubtfulBlockError(`block ${header.number} does not match its id ${header.id}`);
    if (this.hasWarned) return;
    this.hasWarned = true;
    const reason =
      unknown.length > 0 ? `unknown fields: ${unknown.join(', ')}` : 'no id so far could be computed from its header';
    this.logger.warn(
      `Block headers cannot be proved (${reason}); instead, their times have to grow from block to block`,
    );
  }
}
