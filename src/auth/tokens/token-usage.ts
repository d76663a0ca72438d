import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';

const RECORD_USE: Statement = {
  name: 'record-token-use',
  text: `update api_tokens set last_used_at = now()
          where id = $1 and (last_used_at is null or last_used_at not between now() - interval '1 minute' and now())`,
};

/** Writes when a token was last used, beside the request and at most once a minute. */
@Injectable()
export class TokenUsage implements OnModuleDestroy {
  private readonly logger = new Logger(TokenUsage.name);
  private readonly writing = new Map<string, Promise<void>>();

  constructor(private readonly sql: Sql) {}

  record(tokenId: string): void {
    // Requests that come while the first one's write is under way would only queue for the same row.
    if (this.writing.has(tokenId)) return;
    const write = this.sql
      .execute(RECORD_USE, [tokenId])
      .catch((error: unknown) => this.logger.warn({ tokenId, err: error }, 'The use of a token was not recorded'))
      .then(() => void this.writing.delete(tokenId));
    this.writing.set(tokenId, write);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.writing.values());
  }
}
