import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ApiTokenRepository } from './api-token.repository';

/** Writes when a token was last used, beside the request and at most once a minute. */
@Injectable()
export class TokenUsage implements OnModuleDestroy {
  private readonly logger = new Logger(TokenUsage.name);
  private readonly writing = new Map<string, Promise<void>>();

  constructor(private readonly tokens: ApiTokenRepository) {}

  record(tokenId: string): void {
    // A second write while the first is under way would only wait for the same row.
    if (this.writing.has(tokenId)) return;
    const write = this.tokens
      .recordUse(tokenId)
      .catch((error: unknown) => this.logger.warn({ tokenId, err: error }, 'The use of a token was not recorded'))
      .then(() => void this.writing.delete(tokenId));
    this.writing.set(tokenId, write);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.writing.values());
  }
}
