import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { PanelAddress } from '../../auth/invitations/panel-address';
import { ApiTokenService, TokenMadeBeforeError } from '../../auth/tokens/api-token.service';
import { carryOut } from '../http/submit-and-redirect';
import { choicesOf, type Form, textOf } from '../http/form';
import { problemOf } from '../http/form-refusal';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { formKeyOf } from '../layout/form-key';
import { CreatedTokenPage } from './created-token.page';
import { NewTokenPage } from './new-token.page';
import { problemOfToken } from './token.form';
import { TokenListPage } from './token-list.page';
import { RevokeTokenPage, TokenPage } from './token.page';
import { TokenQueries, type TokenRow } from './token.queries';
import { TOKEN_WORDS } from '../messages/token.messages';

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
  async create(@CurrentVisit() visit: SignedInVisit, @Body() form: Form): Promise<Reply> {
    const words = TOKEN_WORDS[visit.locale];
    const problem = problemOfToken(form, words);
    if (problem) return new Page(words.newToken, <NewTokenPage visit={visit} form={form} problem={problem} />, 422);
    try {
      const created = await this.tokens.create({
        id: formKeyOf(form) ?? undefined,
        userId: visit.user.id,
        name: textOf(form, 'name'),
        permissions: choicesOf(form, 'permissions'),
        expiresInDays: textOf(form, 'expires') === '' ? undefined : Number(textOf(form, 'expires')),
      });
      const page = <CreatedTokenPage visit={visit} created={created} baseUrl={this.address.baseUrl()} />;
      return new Page(words.createdTitle, page);
    } catch (error) {
      if (!(error instanceof TokenMadeBeforeError)) throw error;
      return new SeeOther(LIST, { kind: 'refused', text: words.alreadyCreated });
    }
  }

  @Get(':id')
  async show(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string): Promise<Reply> {
    const token = await this.get(id, visit);
    return new Page(token.name, <TokenPage visit={visit} token={token} />);
  }

  @Post(':id')
  async rename(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    const typed = textOf(form, 'name');
    const token = await this.get(id, visit);
    try {
      await this.tokens.rename(id, typed, visit.user.id);
      return new SeeOther(LIST, { kind: 'done', text: TOKEN_WORDS[visit.locale].renamed });
    } catch (error) {
      const problem = problemOf(error, visit.locale);
      return new Page(token.name, <TokenPage visit={visit} token={token} typed={typed} problem={problem} />, 422);
    }
  }

  @Get(':id/revoke')
  async confirmRevoking(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string): Promise<Reply> {
    const token = await this.get(id, visit);
    const page = <RevokeTokenPage visit={visit} token={token} path={`${LIST}/${id}`} back={`${LIST}/${id}`} />;
    return new Page(TOKEN_WORDS[visit.locale].revokeTitle, page);
  }

  @Post(':id/revoke')
  revoke(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string): Promise<Reply> {
    return carryOut(visit, LIST, async () => {
      await this.tokens.revoke(id, visit.user.id);
      return TOKEN_WORDS[visit.locale].wasRevoked;
    });
  }

  private async get(id: string, { user }: SignedInVisit): Promise<TokenRow> {
    const token = await this.queries.find(id, user.id);
    if (!token) throw new PanelError('not-found');
    return token;
  }
}
