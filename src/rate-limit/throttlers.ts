import type { ExecutionContext } from '@nestjs/common';
import type { ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Configuration } from '../../config/configuration';
import { RouteMetadata } from '../common/http/route-metadata';
import type { AuthenticatedRequest, RequestUser } from '../users/request-user';
import { ROUTE_LIMIT } from './rate-limit.decorator';
import type { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;

/** The limits of every call, the shorter window first. */
export function throttlers({ rateLimit }: Configuration, storage: RateLimitStorage): ThrottlerModuleOptions {
  const reflector = new RouteMetadata();
  const routeLimit = (context: ExecutionContext) =>
    reflector.getAllAndOverride<string | undefined>(ROUTE_LIMIT, [context.getHandler(), context.getClass()]);
  return {
    storage,
    throttlers: [
      {
        name: ROUTE_LIMIT,
        // Both are replaced by those of the route's decorator.
        limit: 0,
        ttl: 0,
        // HEAD is asked by probes, which see nothing: it counts in the general limit alone.
        skipIf: (context) => routeLimit(context) === undefined || requestOf(context).method === 'HEAD',
        generateKey: (context, user) => `${routeLimit(context)} ${user}`,
      },
      {
        name: 'general',
        limit: (context) => userOf(context).rateLimitPerMinute ?? rateLimit.perMinute,
        ttl: MINUTE_MS,
        generateKey: (_context, user) => user,
      },
    ],
  };
}

function requestOf(context: ExecutionContext): AuthenticatedRequest {
  return context.switchToHttp().getRequest<AuthenticatedRequest>();
}

function userOf(context: ExecutionContext): RequestUser {
  return requestOf(context).user!;
}
