import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import {
  getOptionsToken,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import type { Response } from 'express';
import { ServiceError } from '../common/errors/service.error';
import { RouteMetadata } from '../common/http/route-metadata';
import type { AuthenticatedRequest } from '../users/request-user';
import { limitHeaders } from './limit-headers';
import { RateLimitStorage } from './rate-limit.storage';

type Counted = ThrottlerLimitDetail & { readonly name: string };

/** After the token guard: the route's own limit, if it has one, and the general one over all routes and tokens of the user. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  private readonly counted = new WeakMap<object, Counted>();

  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    private readonly storage: RateLimitStorage,
  ) {
    super(options, storage, new RouteMetadata());
  }

  /** Where several limits count a call, the headers show the one with the fewest calls left. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    const http = context.switchToHttp();
    const counted = this.counted.get(http.getRequest<object>());
    if (counted) http.getResponse<Response>().setHeaders(new Map(Object.entries(limitHeaders(counted))));
    return true;
  }

  /** Public routes have no user to count. */
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return context.switchToHttp().getRequest<AuthenticatedRequest>().user === undefined;
  }

  protected override async handleRequest(asked: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, throttler } = asked;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const name = throttler.name!;
    const tracker = request.user!.id;
    const key = asked.generateKey(context, tracker, name);
    const verdict = await this.storage.increment(key, ttl, limit, 0, name);
    const detail = { name, limit, ttl, key, tracker, ...verdict };
    if (verdict.isBlocked) return this.refuse(request, detail);

    const earlier = this.counted.get(request);
    if (!earlier || remaining(detail) < remaining(earlier)) this.counted.set(request, detail);
    return true;
  }

  /** The route's limit may have counted the call before the general one refused it: it is given back there. */
  private async refuse(request: object, detail: Counted): Promise<never> {
    const earlier = this.counted.get(request);
    if (earlier) await this.storage.giveBack(earlier.key, earlier.timeToExpire, earlier.name);
    throw new ServiceError('RATE_LIMITED', `The limit "${detail.key}" is used up`, { headers: limitHeaders(detail) });
  }
}

function remaining({ limit, totalHits }: ThrottlerLimitDetail): number {
  return limit - totalHits;
}
