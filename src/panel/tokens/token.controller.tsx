import { Body, Get, Param, Post, Query, Session } from '@nestjs/common';
import type { SessionData } from 'express-session';
import { PanelAddress } from '../../auth/invitations/panel-address';
import { ApiTokenService } from '../../auth/tokens/api-token.service';
import { choicesOf, type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/visit';
import { markUsed, wasUsed } from '../layout/form-key';
import { CreatedTokenPage } from './created-token.page';
import { NewTokenPage } from './new-token.page';
import { problemOfToken } from './token.form';
import { TokenListPage } from './token-list.page';
import { RevokeTokenPage, TokenPage } from './token.page';
import { TokenQueries, type TokenRow } from './token.queries';
import { TOKEN_WORDS } from './token.words';

const LIST = '/panel/tokens';

@PanelController('tokens', 'user')
export class TokenController {
  constructor(
    private readonly tokens: ApiTokenService,
    private readonly queries: TokenQueries,
    private readonly address: PanelAddress,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const page = await this.queries.page(visit.user.id, textOf(query, 'after'));
    return new Page(TOKEN_WORDS[visit.locale].title, <TokenListPage visit={visit} page={page} />);
  }

  @Get('new')
  showForm(@CurrentVisit() visit: SignedInVisit): Reply {
    return new Page(TOKEN_WORDS[visit.locale].newToken, <NewTokenPage visit={visit} />);
  }

  /** The token is in this very answer and nowhere else, so it cannot redirect. */
  @Post('new')
  async create(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: Partial<SessionData>,
    @Body() form: Form,
  ): Promise<Reply> {
    const words = TOKEN_WORDS[visit.locale];
    if (wasUsed(session, form)) {
      session.notice = { kind: 'refused', text: words.alreadyCreated };
      return new SeeOther(LIST);
    }
    const problem = problemOfToken(form, words);
    if (problem) return new Page(words.newToken, <NewTokenPage visit={visit} form={form} problem={problem} />, 422);
    markUsed(session, form);
    const created = await this.tokens.create({
      userId: visit.user.id,
      name: textOf(form, 'name'),
      permissions: choicesOf(form, 'permissions'),
      expiresInDays: textOf(form, 'expires') === '' ? undefined : Number(textOf(form, 'expires')),
    });
    const page = <CreatedTokenPage visit={visit} created={created} baseUrl={this.address.baseUrl()} />;
    return new Page(words.createdTitle, page);
  }

  @Get(':id')
  async show(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string): Promise<Reply> {
    const token = await this.get(id, visit);
    return new Page(token.name, <TokenPage visit={visit} token={token} />);
  }

  @Post(':id')
  async rename(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: Partial<SessionData>,
    @Param('id') id: string,
    @Body() form: Form,
  ): Promise<Reply> {
    await this.get(id, visit);
    await this.tokens.rename(id, textOf(form, 'name'), visit.user.id);
    session.notice = { kind: 'done', text: TOKEN_WORDS[visit.locale].renamed };
    return new SeeOther(LIST);
  }

  @Get(':id/revoke')
  async confirmRevoking(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string): Promise<Reply> {
    const token = await this.get(id, visit);
    return new Page(TOKEN_WORDS[visit.locale].revokeTitle, <RevokeTokenPage visit={visit} token={token} />);
  }

  @Post(':id/revoke')
  async revoke(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: Partial<SessionData>,
    @Param('id') id: string,
  ): Promise<Reply> {
    await this.get(id, visit);
    await this.tokens.revoke(id, visit.user.id);
    session.notice = { kind: 'done', text: TOKEN_WORDS[visit.locale].wasRevoked };
    return new SeeOther(LIST);
  }

  private async get(id: string, { user }: SignedInVisit): Promise<TokenRow> {
    const token = await this.queries.find(id, user.id);
    if (!token) throw new PanelError('not-found');
    return token;
  }
}
