import { applyDecorators, SetMetadata } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';

/** The throttler of a route's own limit; the other one is general. */
export const ROUTE_LIMIT = 'route';

export interface RouteLimit {
  readonly name: string;
  readonly calls: number;
  readonly windowMs: number;
}

/** A limit of this route's own, per user, besides the general one. */
export const LimitRate = ({ name, calls, windowMs }: RouteLimit) =>
  applyDecorators(SetMetadata(ROUTE_LIMIT, name), Throttle({ [ROUTE_LIMIT]: { limit: calls, ttl: windowMs } }));
