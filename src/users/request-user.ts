import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Permission } from './permissions';

/** The user who is calling, by the token of this request. */
export interface RequestUser {
  readonly id: string;
  /** null: the configured general limit. */
  readonly rateLimitPerMinute: number | null;
  readonly tokenId: string;
  readonly permissions: readonly Permission[];
  /** The only addresses that the token may order for and look up; null: all. */
  readonly receivers: readonly string[] | null;
  /** The only networks that it may be used from, CIDR; null: all. */
  readonly ips: readonly string[] | null;
}

export interface AuthenticatedRequest extends Request {
  user?: RequestUser;
}

export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);
