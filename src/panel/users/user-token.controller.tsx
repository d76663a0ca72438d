import { Get, Param, Post, Query } from '@nestjs/common';
import type { UserRecord } from '../../users/user.service';
import { OperateTokens } from '../../admin/token-admin.service';
import { carryOut } from '../http/submit-and-redirect';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { RevokeTokenPage } from '../tokens/token.page';
import { TokenQueries } from '../tokens/token.queries';
import { TOKEN_WORDS } from '../messages/token.messages';
import { operatorOf } from '../http/operator';
import { PathUser, userPath } from './user-by-id.pipe';
import { UserTokensPage } from './user-tokens.page';
import { USER_WORDS } from '../messages/user.messages';

/** A user's tokens: operators see that they are there and revoke them, but never make or read one here. */
@PanelController('operator/users/:id/tokens', 'operator')
export class UserTokenController {
  constructor(
    private readonly queries: TokenQueries,
    private readonly operate: OperateTokens,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord, @Query() query: Form): Promise<Reply> {
    const page = await this.queries.page(user.id, textOf(query, 'after'));
    return new Page(USER_WORDS[visit.locale].tokens, <UserTokensPage visit={visit} user={user} page={page} />);
  }

  @Get(':token/revoke')
  async confirmRevoking(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Param('token') tokenId: string,
  ): Promise<Reply> {
    const token = await this.queries.find(tokenId, user.id);
    if (!token) throw new PanelError('not-found');
    const list = tokensPath(user);
    return new Page(
      TOKEN_WORDS[visit.locale].revokeTitle,
      <RevokeTokenPage visit={visit} token={token} path={`${list}/${token.id}`} back={list} owner={user.email} />,
    );
  }

  @Post(':token/revoke')
  revoke(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Param('token') tokenId: string,
  ): Promise<Reply> {
    return carryOut(visit, tokensPath(user), async () => {
      await this.operate.revoke(operatorOf(visit), tokenId, user.id);
      return TOKEN_WORDS[visit.locale].wasRevoked;
    });
  }
}

function tokensPath(user: UserRecord): string {
  return `${userPath(user)}/tokens`;
}
