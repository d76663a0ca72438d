import { SetMetadata } from '@nestjs/common';
import type { RateLimit } from './rate-limit.store';

export const ROUTE_LIMIT = 'route-limit';

/** A limit of this route's own, per user, beside the general one. */
export const LimitRate = (limit: RateLimit) => SetMetadata(ROUTE_LIMIT, limit);
