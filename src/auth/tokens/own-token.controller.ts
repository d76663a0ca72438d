import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '../../common/http/described';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ServiceError } from '../../common/errors/service.error';
import { type RawJson, trxNumber } from '../../common/money/json-number';
import { CurrentUser, type RequestUser } from '../../users/request-user';
import { RequireToken } from '../access.decorator';
import { OwnTokenResponse } from './own-token.response';
import { TokenListRepository } from './token-list.repository';

/** What the token of a request may do. */
@Controller('api/user')
export class OwnTokenController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly tokens: TokenListRepository,
  ) {}

  @Get('token')
  @RequireToken()
  @ApiOkResponse({ description: 'The token of this call', type: OwnTokenResponse })
  async show(@CurrentUser() user: RequestUser): Promise<OwnTokenResponse> {
    const token = await this.tokens.find(user.tokenId, user.id);
    if (!token) throw new ServiceError('UNAUTHENTICATED', 'the token is gone');
    const { name, permissions, expiresAt, dailyLimitSun, usedTodaySun, maxCostSun, receivers, ips } = token;
    const data = {
      name,
      permissions,
      expires_at: expiresAt?.toISOString() ?? null,
      daily_limit: numberOf(dailyLimitSun),
      used_today: trxNumber(usedTodaySun),
      remaining_today: numberOf(remaining(dailyLimitSun, usedTodaySun)),
      max_cost: numberOf(maxCostSun),
      receivers,
      ips,
      rate_limit_per_minute: user.rateLimitPerMinute ?? this.configuration.rateLimit.perMinute,
    };
    return { success: true, data };
  }
}

function numberOf(sun: bigint | null): RawJson | null {
  return sun === null ? null : trxNumber(sun);
}

/** Nothing when the limit was lowered below what was used. */
function remaining(limitSun: bigint | null, usedSun: bigint): bigint | null {
  if (limitSun === null) return null;
  return limitSun > usedSun ? limitSun - usedSun : 0n;
}
