import { Get, Param, Post, Query } from '@nestjs/common';
import { TokenAdminService } from '../../admin/token-admin.service';
import { type ListedToken, TokenListRepository } from '../../auth/tokens/token-list.repository';
import type { UserRecord } from '../../users/user.service';
import { type Form } from '../http/form';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply, submitAndRedirect } from '../http/reply';
import { type PageOf, useMessages } from '../layout/components';
import { readTokenPage } from '../tokens/read-token-page';
import { TokenTable } from '../tokens/token-list.page';
import { RevokeTokenPage } from '../tokens/token.page';
import { UserById, userPath } from './user-by-id.pipe';

/** A user's tokens: operators list and revoke them here, but never create or read one. */
@PanelController('operator/users/:id/tokens', 'operator')
export class UserTokenController {
  constructor(
    private readonly tokenList: TokenListRepository,
    private readonly admin: TokenAdminService,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Query() query: Form): Promise<Reply> {
    const page = await readTokenPage(this.tokenList, user.id, query);
    return new Page(visit.messages.user.tokens, <UserTokens user={user} page={page} />);
  }

  @Get(':token/revoke')
  async confirmRevoking(
    @ThisVisit() visit: UserVisit,
    @UserById() user: UserRecord,
    @Param('token') tokenId: string,
  ): Promise<Reply> {
    const token = existing(await this.tokenList.find(tokenId, user.id));
    const list = tokensPath(user);
    return new Page(
      visit.messages.token.revokeTitle,
      <RevokeTokenPage token={token} path={`${list}/${token.id}`} back={list} owner={user.email} />,
    );
  }

  @Post(':token/revoke')
  revoke(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Param('token') tokenId: string): Promise<Reply> {
    return submitAndRedirect(visit, tokensPath(user), async () => {
      await this.admin.revoke(operatorOf(visit), tokenId, user.id);
      return visit.messages.token.wasRevoked;
    });
  }
}

function tokensPath(user: UserRecord): string {
  return `${userPath(user)}/tokens`;
}

function UserTokens({ user, page }: { user: UserRecord; page: PageOf<ListedToken> }) {
  const messages = useMessages('user');
  return (
    <>
      <h1>{messages.tokens}</h1>
      <p>
        <a href={userPath(user)}>{user.email}</a>
      </p>
      <TokenTable page={page} path={tokensPath(user)} empty={messages.noTokens} />
    </>
  );
}
