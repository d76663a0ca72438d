import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/errors/service.error';
import { clientAddress } from '../../common/http/client-ip';
import { RequestOrigins } from '../../common/http/request-origins';
import { RouteMetadata } from '../../common/http/route-metadata';
import type { AuthenticatedRequest } from '../../users/request-user';
import { ACCESS, type Access } from '../access.decorator';
import { isAllowed } from './allowed-networks';
import { FailedTokens } from './failed-tokens';
import { TokenLookup } from './token-lookup';

const BEARER = /^bearer +(\S+) *$/i;

/** First of the checks: a live token, from an address that it is for, then its permission for the route. */
@Injectable()
export class TokenGuard implements CanActivate {
  private readonly reflector = new RouteMetadata();

  constructor(
    private readonly tokens: TokenLookup,
    private readonly failedTokens: FailedTokens,
    private readonly origins: RequestOrigins,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, route);
    if (access === 'public') return true;
    if (access === undefined)
      throw new Error(`${route.map(({ name }) => name).join(' of ')} does not say who may call it`);

    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const token = BEARER.exec(authorizationOf(request))?.[1];
    if (token === undefined) throw new ServiceError('UNAUTHENTICATED', 'No token');
    const user = await this.tokens.findUser(token);
    // After the look-up: bad tokens from the same address do not slow a good one down.
    if (!user) throw await this.failedTokens.refusalOf(clientAddress(request));
    // Whatever else it is refused for, it is this user's call.
    request.user = user;
    this.origins.note(request, 'token');
    if (user.ips && !isAllowed(user.ips, request.ip)) {
      throw new ServiceError('PERMISSION_DENIED', 'the token is not for this address');
    }
    if (access !== 'token' && !user.permissions.includes(access)) throw new ServiceError('PERMISSION_DENIED');
    return true;
  }
}

/** Empty when lines differ: Node keeps the first and drops the others, and a proxy may have judged the call by another one. */
function authorizationOf({ headersDistinct }: AuthenticatedRequest): string {
  const [line = '', ...others] = new Set(headersDistinct['authorization']);
  return others.length === 0 ? line : '';
}
