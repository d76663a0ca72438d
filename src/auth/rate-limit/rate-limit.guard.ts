import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ServiceError } from '../../common/service.error';
import type { AuthenticatedRequest } from '../request-user';
import { limitHeaders } from './limit-headers';
import { ROUTE_LIMIT } from './rate-limit.decorator';
import { type RateLimit, RateLimitStore, type Verdict } from './rate-limit.store';

/** After the token guard: the route's own limit, if it has one, and the general one over all routes and tokens of the user. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly store: RateLimitStore,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { user } = http.getRequest<AuthenticatedRequest>();
    if (!user) return true;

    const calls = user.rateLimitPerMinute ?? this.configuration.rateLimit.perMinute;
    const general: RateLimit = { name: 'general', calls, windowMs: 60_000 };
    const own = this.reflector.getAllAndOverride<RateLimit | undefined>(ROUTE_LIMIT, [
      context.getHandler(),
      context.getClass(),
    ]);

    const ownVerdict = own && (await this.takeOrRefuse(own, user.id));
    const generalVerdict = await this.store.take(general, user.id);
    if (!generalVerdict.allowed) {
      // The route's limit had let the call in, but the call does not happen.
      if (own) await this.store.giveBack(own, user.id);
      throw refusal(general, generalVerdict);
    }
    const tightest = own && ownVerdict && ownVerdict.remaining <= generalVerdict.remaining;
    http.getResponse<Response>().set(tightest ? limitHeaders(own, ownVerdict) : limitHeaders(general, generalVerdict));
    return true;
  }

  private async takeOrRefuse(limit: RateLimit, userId: string): Promise<Verdict> {
    const verdict = await this.store.take(limit, userId);
    if (!verdict.allowed) throw refusal(limit, verdict);
    return verdict;
  }
}

function refusal(limit: RateLimit, verdict: Verdict): ServiceError {
  return new ServiceError('RATE_LIMITED', `The limit "${limit.name}" is used up`, {
    headers: limitHeaders(limit, verdict),
  });
}
