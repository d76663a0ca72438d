import { Logger } from '@nestjs/common';
import { DoubtfulBlockError, type BlockHeader, headerOf } from './block-answer';
import { unknownFields } from './block-id';

/**
 * A header is believed when its id can be computed from it. One with fields that a later release of the node has added cannot be
 * proved, and refusing it would stop the service for good: it is used, and whoever draws conclusions from its time takes more care
 * (`BlockHeader.proved`). The same holds on a chain that has another way to compute ids, as long as it never shows the known one.
 */
export class HeaderProof {
  private readonly logger = new Logger(HeaderProof.name);
  private hasProved = false;
  private hasTold = false;

  /** @throws DoubtfulBlockError when the header is not the one that has this id */
  check(header: BlockHeader, json: Record<string, unknown>): void {
    if (header.proved) {
      this.hasProved = true;
      return;
    }
    const unknown = unknownFields(headerOf(json));
    if (unknown.length === 0 && this.hasProved)
      throw new DoubtfulBlockError(`block ${header.number} is not what its id ${header.id} was computed from`);
    if (this.hasTold) return;
    this.hasTold = true;
    const reason =
      unknown.length > 0 ? `unknown fields: ${unknown.join(', ')}` : 'no header so far has the id of its own';
    this.logger.warn(`Block headers cannot be proved (${reason}); the order of their times is checked instead`);
  }
}
