import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service.error';
import { ACCESS, type Access } from '../access.decorator';
import { networkOf } from '../client-network';
import { limitHeaders } from '../rate-limit/limit-headers';
import { RateLimitStorage } from '../rate-limit/rate-limit.storage';
import type { AuthenticatedRequest } from '../request-user';
import { RouteMetadata } from '../route-metadata';
import { TokenLookup } from './token-lookup';

const BEARER = /^bearer +(\S+) *$/i;
const FAILED_TOKENS = { name: 'failed-tokens', calls: 30, windowMs: 60_000 };

/** First of the checks: a live token, then its permission for the route. */
@Injectable()
export class TokenGuard implements CanActivate {
  private readonly reflector = new RouteMetadata();

  constructor(
    private readonly tokens: TokenLookup,
    private readonly limits: RateLimitStorage,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, route);
    if (access === 'public') return true;
    if (access === undefined)
      throw new Error(`${route.map(({ name }) => name).join(' of ')} does not say who may call it`);

    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { authorization } = request.headers;
    if (authorization === undefined) throw new ServiceError('UNAUTHENTICATED', 'No token');
    const token = BEARER.exec(authorization)?.[1];
    const user = token === undefined ? null : await this.tokens.findUser(token);
    if (!user) return this.refuseToken(request.ip ?? '');
    if (!user.permissions.includes(access)) throw new ServiceError('PERMISSION_DENIED');
    request.user = user;
    return true;
  }

  /** Whoever guesses is slowed down; a good token is looked up first and never gets here. */
  private async refuseToken(address: string): Promise<never> {
    const { name, calls: limit, windowMs } = FAILED_TOKENS;
    const verdict = await this.limits.increment(networkOf(address), windowMs, limit, 0, name);
    if (!verdict.isBlocked) throw new ServiceError('UNAUTHENTICATED', 'Bad token');
    throw new ServiceError('RATE_LIMITED', 'Too many bad tokens', { headers: limitHeaders({ limit, ...verdict }) });
  }
}
