import { Body, Get, Param, Post, Query, Session } from '@nestjs/common';
import type { SessionData } from 'express-session';
import { RefusalError } from '../../../common/refusal.error';
import { type Form, textOf } from '../../http/form';
import { PanelController } from '../../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../../http/reply';
import { CurrentVisit, type SignedInVisit } from '../../http/visit';
import { refusalText } from '../../i18n/refusal-text';
import { InvitationLinkPage } from './invitation-link.page';
import { NewUserPage } from './new-user.page';
import { OperateUsers } from './operate-users';
import { readSettings } from './user-form';
import { UserListPage } from './user-list.page';
import { UserPages } from './user-pages';
import { UserQueries } from './user.queries';
import { USER_WORDS } from './user.words';

type PanelSession = Partial<SessionData>;

@PanelController('operator/users', 'operator')
export class UserController {
  constructor(
    private readonly queries: UserQueries,
    private readonly pages: UserPages,
    private readonly operate: OperateUsers,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const prefix = textOf(query, 'email').toLowerCase();
    const page = await this.queries.page(prefix, textOf(query, 'after'));
    return new Page(USER_WORDS[visit.locale].title, <UserListPage visit={visit} page={page} prefix={prefix} />);
  }

  @Get('new')
  showForm(@CurrentVisit() visit: SignedInVisit): Reply {
    return new Page(USER_WORDS[visit.locale].newUser, <NewUserPage visit={visit} />);
  }

  @Post('new')
  async create(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Body() form: Form,
  ): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    try {
      const user = await this.operate.create(visit, textOf(form, 'email'), readSettings(form, words));
      session.notice = { kind: 'done', text: words.wasCreated };
      return new SeeOther(this.pages.pathOf(user));
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const problem = refusalText(error, visit.locale);
      return new Page(words.newUser, <NewUserPage visit={visit} form={form} problem={problem} />, 422);
    }
  }

  @Get(':id')
  async show(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    return this.pages.show(visit, await this.pages.get(id), textOf(query, 'after'));
  }

  @Post(':id')
  async update(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Param('id') id: string,
    @Body() form: Form,
  ): Promise<Reply> {
    const user = await this.pages.get(id);
    const words = USER_WORDS[visit.locale];
    return this.pages.carryOut(visit, session, user, async () => {
      await this.operate.update(visit, user, readSettings(form, words));
      return words.saved;
    });
  }

  @Post(':id/state')
  async setState(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Param('id') id: string,
    @Body() form: Form,
  ): Promise<Reply> {
    const user = await this.pages.get(id);
    const disabled = textOf(form, 'state') === 'disabled';
    const words = USER_WORDS[visit.locale];
    return this.pages.carryOut(visit, session, user, async () => {
      await this.operate.setState(visit, user, disabled);
      return disabled ? words.wasDisabled : words.wasEnabled;
    });
  }

  @Post(':id/sessions')
  async endSessions(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Param('id') id: string,
  ): Promise<Reply> {
    const user = await this.pages.get(id);
    return this.pages.carryOut(visit, session, user, async () =>
      USER_WORDS[visit.locale].sessionsEnded(await this.operate.endSessions(visit, user)),
    );
  }

  /** The link is in this very answer and nowhere else, so it cannot redirect. */
  @Post(':id/invitation')
  async invite(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string): Promise<Reply> {
    const user = await this.pages.get(id);
    const link = await this.operate.invite(visit, user);
    const page = <InvitationLinkPage visit={visit} email={user.email} link={link} back={this.pages.pathOf(user)} />;
    return new Page(USER_WORDS[visit.locale].linkTitle, page);
  }

  @Post(':id/invitation/withdraw')
  async withdrawLink(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Param('id') id: string,
  ): Promise<Reply> {
    const user = await this.pages.get(id);
    const words = USER_WORDS[visit.locale];
    return this.pages.carryOut(visit, session, user, async () =>
      (await this.operate.withdrawLink(visit, user)) ? words.linkWithdrawn : words.noLink,
    );
  }
}
