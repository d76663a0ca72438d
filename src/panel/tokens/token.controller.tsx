import { Body, Get, Param, Post, Query, Req } from '@nestjs/common';
import { TokenAdminService } from '../../admin/token-admin.service';
import { PanelAddress } from '../../common/http/panel-address';
import { ApiTokenService } from '../../auth/tokens/api-token.service';
import { widens } from '../../auth/tokens/token-limits';
import { type ListedToken, TokenListRepository } from '../../auth/tokens/token-list.repository';
import { DomainError } from '../../common/errors/domain.error';
import { ActLimits, LimitActs } from '../http/act-limit';
import { choicesOf, type Form, problemOf, textOf } from '../http/form';
import { operatorOf, type PanelRequest, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply, SecretPage, SeeOther, submitAndRedirect } from '../http/reply';
import { formKeyOf, type FormProblem } from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { RecentPassword } from '../sign-in/recent-password';
import { CreatedTokenPage } from './created-token.page';
import { NewTokenPage } from './new-token.page';
import { readTokenPage } from './read-token-page';
import { TokenListPage } from './token-list.page';
import { problemOfToken, readLimitChanges, readLimits } from './token.form';
import { RevokeTokenPage, TokenPage } from './token.page';

const LIST = '/panel/tokens';

@PanelController('tokens', 'user')
export class TokenController {
  constructor(
    private readonly tokens: ApiTokenService,
    private readonly admin: TokenAdminService,
    private readonly tokenList: TokenListRepository,
    private readonly recentPassword: RecentPassword,
    private readonly actLimits: ActLimits,
    private readonly address: PanelAddress,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const page = await readTokenPage(this.tokenList, visit.user.id, query);
    return new Page(visit.messages.token.title, <TokenListPage page={page} />);
  }

  @Get('new')
  showForm(@ThisVisit() visit: UserVisit): Reply {
    return new Page(visit.messages.token.newToken, <NewTokenPage />);
  }

  /** The token is shown once, on the page that this leads to. One that spends money takes the password. */
  @Post('new')
  @LimitActs('tokens')
  @PasswordAgain((form) => choicesOf(form, 'permissions').includes('delegate'))
  async create(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.token;
    const again = (problem: FormProblem) =>
      new Page(messages.newToken, <NewTokenPage form={form} problem={problem} />, 422);
    const problem = problemOfToken(form, messages);
    if (problem) return again(problem);
    try {
      const created = await this.admin.create(operatorOf(visit), visit.user.email, {
        id: formKeyOf(form) ?? undefined,
        name: textOf(form, 'name'),
        permissions: choicesOf(form, 'permissions'),
        expiresInDays: textOf(form, 'expires') === '' ? undefined : Number(textOf(form, 'expires')),
        limits: readLimits(form, messages),
      });
      const page = <CreatedTokenPage created={created} baseUrl={this.address.baseUrl()} />;
      return new SecretPage(messages.createdTitle, page);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'token.created-before') {
        return again(problemOf(error, visit));
      }
      return SeeOther.refused(LIST, messages.alreadyCreated);
    }
  }

  @Get(':id')
  async show(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const token = await this.get(id, visit);
    return new Page(token.name, <TokenPage token={token} />);
  }

  @Post(':id')
  rename(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    return this.change(visit, id, 'name', form, async ({ renamed }) => {
      await this.tokens.rename(id, textOf(form, 'name'), visit.user.id);
      return renamed;
    });
  }

  /** Less may be allowed at any time; more than the form showed takes the password. */
  @Post(':id/limits')
  setLimits(
    @ThisVisit() visit: UserVisit,
    @Param('id') id: string,
    @Body() form: Form,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    return this.change(visit, id, 'limits', form, async (messages) => {
      const { changes, typed, seen } = readLimitChanges(form, messages);
      if (widens(seen, typed)) await this.recentPassword.require(request, visit, form);
      await this.actLimits.take('tokens', visit.user.id);
      await this.admin.setLimits(operatorOf(visit), id, changes, { ownerId: visit.user.id, seen });
      return messages.limitsSaved;
    });
  }

  @Get(':id/revoke')
  async confirmRevoking(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const token = await this.get(id, visit);
    const page = <RevokeTokenPage token={token} path={`${LIST}/${id}`} back={`${LIST}/${id}`} />;
    return new Page(visit.messages.token.revokeTitle, page);
  }

  @Post(':id/revoke')
  revoke(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    return submitAndRedirect(visit, LIST, async () => {
      const { state } = await this.get(id, visit);
      // Once is enough, and each leaves an entry in the audit log.
      if (state !== 'revoked') await this.admin.revoke(operatorOf(visit), id, visit.user.id);
      return visit.messages.token.wasRevoked;
    });
  }

  /** One of the forms on a token's page, which shows it again when it is refused. */
  private async change(
    visit: UserVisit,
    id: string,
    which: 'name' | 'limits',
    form: Form,
    work: (messages: Messages['token']) => Promise<string>,
  ): Promise<Reply> {
    const token = await this.get(id, visit);
    try {
      return SeeOther.done(LIST, await work(visit.messages.token));
    } catch (error) {
      const refused = { form: which, typed: form, problem: problemOf(error, visit) };
      return new Page(token.name, <TokenPage token={token} refused={refused} />, 422);
    }
  }

  private async get(id: string, { user }: UserVisit): Promise<ListedToken> {
    return existing(await this.tokenList.find(id, user.id));
  }
}
