import { Inject } from '@nestjs/common';
import { Option } from 'nest-commander';
import { PRICING, type PricingStrategy } from '../billing/pricing/pricing.strategy';
import { CliCommand } from './cli-command';
import { parsePositiveInteger, parsePriceSun } from './option-parsers';
import type { OutputOptions } from './output';

/** The parser makes an empty string of a null, so the word itself goes through it. */
const DEFAULT = 'default';

export interface UserOptions extends OutputOptions {
  readonly name?: string;
  readonly operator?: boolean;
  readonly unitPrice?: bigint | typeof DEFAULT;
  readonly rateLimit?: number | typeof DEFAULT;
}

/** What `user:create` and `user:update` share. */
export abstract class UserSettingsCommand extends CliCommand {
  @Inject(PRICING)
  private readonly pricing!: PricingStrategy;

  @Option({ flags: '--operator', description: 'may operate the service from the panel' })
  protected readOperator(): boolean {
    return true;
  }

  @Option({ flags: '--unit-price <native units>', description: 'variant B, 2 to 2.5 per transaction; or "default"' })
  protected readUnitPrice(text: string): bigint | typeof DEFAULT {
    return text === DEFAULT ? DEFAULT : parsePriceSun(text);
  }

  @Option({ flags: '--rate-limit <calls>', description: 'calls a minute over all routes and tokens; or "default"' })
  protected readRateLimit(text: string): number | typeof DEFAULT {
    return text === DEFAULT ? DEFAULT : parsePositiveInteger('--rate-limit', text, 1_000_000);
  }

  protected settingsOf({ name, operator, unitPrice, rateLimit }: UserOptions) {
    // It is kept all the same: variants can be switched, and prices may be set before.
    if (unitPrice !== undefined && !this.pricing.usesAccountPrice) {
      process.stderr.write(`Warning: --unit-price has no effect under ${this.pricing.description}\n`);
    }
    return {
      name,
      operator,
      unitPriceSun: unitPrice === DEFAULT ? null : unitPrice,
      rateLimitPerMinute: rateLimit === DEFAULT ? null : rateLimit,
    };
  }
}
