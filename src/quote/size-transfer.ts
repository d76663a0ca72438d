import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { HeadState } from '../chain/tron/head/head-state';
import type { TokenTransfer } from '../chain/tron/head/transfer-size';
import { ServiceError } from '../common/errors/service.error';
import { limitHeaders } from '../rate-limit/limit-headers';
import { RateLimitStorage } from '../rate-limit/rate-limit.storage';
import { Newcomers } from '../users/newcomers';
import type { QuoteQuery } from './dto/quote-query.dto';
import type { SizedTransfer } from './quote';

/** In a minute, for each account. */
export const MOST_SIZINGS = 10;
const LIMIT = { name: 'sizing', calls: MOST_SIZINGS, windowMs: 60_000 };
/** For all accounts of one network that have signed up by themselves and paid for nothing yet. */
export const MOST_OF_NEWCOMERS = { network: 10, wide: 40, all: 200 } as const;

/** A dry run at the node costs more than a look: it is kept for a block, and each account may ask for few new ones. */
@Injectable()
export class SizeTransfer {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly limits: RateLimitStorage,
    private readonly newcomers: Newcomers,
  ) {}

  /** Null without a transfer. @throws ServiceError VALIDATION_FAILED, RATE_LIMITED; NODE_UNAVAILABLE */
  async size(userId: string, head: HeadState, query: QuoteQuery): Promise<SizedTransfer | null> {
    const { receiver: sender, recipient, value } = query;
    if (recipient === null) return null;
    const transfer = { sender, recipient, token: query.token ?? this.configuration.nodes.usdtContract, value };
    await this.count(userId, head, transfer);
    const size = await head.sizeOf(transfer);
    if (size.kind === 'sized') return size;
    if (size.kind === 'no-token') throw invalid('token', 'The token must be a TRC-20 contract.');
    throw invalid('to', 'The transfer cannot be estimated by this node.');
  }

  private async count(userId: string, head: HeadState, transfer: TokenTransfer): Promise<void> {
    if (head.hasSizeOf(transfer)) return;
    const shared = await this.newcomers.limitsOf(userId, MOST_OF_NEWCOMERS);
    await this.countIn(LIMIT, userId, head, transfer);
    // The smallest first: a network that has used up its own takes nothing from the others.
    for (const { network, most } of shared.toReversed()) {
      await this.countIn({ ...LIMIT, name: 'sizing-newcomers', calls: most }, network ?? 'all', head, transfer);
    }
  }

  private async countIn(
    { name, calls, windowMs }: typeof LIMIT,
    key: string,
    head: HeadState,
    transfer: TokenTransfer,
  ): Promise<void> {
    const verdict = await this.limits.increment(key, windowMs, calls, 0, name);
    // Another caller has asked for it meanwhile.
    if (head.hasSizeOf(transfer)) {
      if (!verdict.isBlocked) await this.limits.giveBack(key, verdict.timeToExpire, name);
      return;
    }
    if (!verdict.isBlocked) return;
    const headers = limitHeaders({ limit: calls, ...verdict });
    throw new ServiceError('RATE_LIMITED', `The limit "${name} ${key}" is used up`, { headers });
  }
}

function invalid(field: string, sentence: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', sentence, { details: { [field]: [sentence] } });
}
