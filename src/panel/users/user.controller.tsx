import { Body, Get, Inject, Post, Query, Req } from '@nestjs/common';
import { InvitationService } from '../../auth/invitations/invitation.service';
import type { UserRecord } from '../../users/user.service';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { OperateUsers } from '../../admin/user-admin.service';
import { carryOut } from '../http/submit-and-redirect';
import { type Form, textOf } from '../http/form';
import { problemOf } from '../http/form-refusal';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type PanelRequest, type SignedInVisit } from '../http/page-context';
import type { FormProblem } from '../layout/form-problem';
import { Question } from '../layout/confirmation';
import { operatorOf } from '../http/operator';
import { PathUser, userPath } from './user-by-id.pipe';
import { InvitationLinkPage } from './invitation-link.page';
import { leaveLink, takeLink } from './link-once';
import { NewUserPage } from './new-user.page';
import { readChanges, readSettings, typedSettings } from './settings-form';
import { UserPages } from './user-pages';
import { UserListPage } from './user-list.page';
import { UserQueries } from './user.queries';
import { USER_WORDS } from '../messages/user.messages';

@PanelController('operator/users', 'operator')
export class UserController {
  constructor(
    private readonly queries: UserQueries,
    private readonly pages: UserPages,
    private readonly operate: OperateUsers,
    private readonly invitations: InvitationService,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const prefix = textOf(query, 'email').toLowerCase();
    const page = await this.queries.page(prefix, textOf(query, 'after'));
    return new Page(USER_WORDS[visit.locale].title, <UserListPage visit={visit} page={page} prefix={prefix} />);
  }

  @Get('new')
  showForm(@CurrentVisit() visit: SignedInVisit): Reply {
    return this.form(visit);
  }

  @Post('new')
  async create(@CurrentVisit() visit: SignedInVisit, @Body() form: Form): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    try {
      const settings = readSettings(typedSettings(form), words, this.pricing.usesAccountPrice);
      const user = await this.operate.create(operatorOf(visit), textOf(form, 'email'), settings);
      return new SeeOther(userPath(user), { kind: 'done', text: words.wasCreated });
    } catch (error) {
      return this.form(visit, form, problemOf(error, visit.locale));
    }
  }

  @Post(':id')
  async update(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord, @Body() form: Form): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    try {
      const { changes, shown } = readChanges(form, words, this.pricing.usesAccountPrice);
      await this.operate.update(operatorOf(visit), user.email, changes, shown);
      return new SeeOther(userPath(user), { kind: 'done', text: words.saved });
    } catch (error) {
      return this.pages.refused(visit, user, { of: 'settings', form }, error);
    }
  }

  @Get(':id/disable')
  confirmDisabling(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord): Reply {
    const words = USER_WORDS[visit.locale];
    const page = (
      <Question
        visit={visit}
        title={words.disableQuestion}
        facts={[
          [words.email, user.email],
          [words.name, user.name],
        ]}
        text={words.disableText}
        action={`${userPath(user)}/state`}
        fields={{ state: 'disabled' }}
        button={words.disable}
        back={userPath(user)}
      />
    );
    return new Page(words.disableQuestion, page);
  }

  @Post(':id/state')
  setState(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord, @Body() form: Form): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    const disabled = textOf(form, 'state') === 'disabled';
    return carryOut(visit, userPath(user), async () => {
      await this.operate[disabled ? 'disable' : 'enable'](operatorOf(visit), user.email);
      return disabled ? words.wasDisabled : words.wasEnabled;
    });
  }

  @Post(':id/sessions')
  endSessions(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord): Promise<Reply> {
    return carryOut(visit, userPath(user), async () => {
      const count = await this.operate.endSessions(operatorOf(visit), user.email);
      return USER_WORDS[visit.locale].sessionsEnded(count);
    });
  }

  /** Leads on to a page of its own: reloading this answer would make another link, and end the one just copied. */
  @Post(':id/invitation')
  async invite(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    const { url, expiresAt } = await this.operate.invite(operatorOf(visit), user.email);
    leaveLink(request, { userId: user.id, url, expiresAt: expiresAt.toISOString() });
    return new SeeOther(`${userPath(user)}/invitation`);
  }

  @Get(':id/invitation')
  async showLink(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    const made = takeLink(request, user.id);
    // Of two forms that were sent at the same moment, the first one's link has ended with the second's.
    const key = made && new URL(made.url).searchParams.get('key');
    const link = key && (await this.invitations.find(key)) ? made : null;
    // Another language would be another look.
    if (link) request.visit = { ...visit, answersForm: true };
    const page = <InvitationLinkPage visit={visit} email={user.email} link={link} back={userPath(user)} />;
    return new Page(USER_WORDS[visit.locale].linkTitle, page);
  }

  @Post(':id/invitation/withdraw')
  withdrawLink(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    return carryOut(visit, userPath(user), async () =>
      (await this.operate.withdrawLink(operatorOf(visit), user.email)) ? words.linkWithdrawn : words.noLink,
    );
  }

  private form(visit: SignedInVisit, form?: Form, problem?: FormProblem): Page {
    const priced = this.pricing.usesAccountPrice;
    const page = <NewUserPage visit={visit} priced={priced} form={form} problem={problem} />;
    return new Page(USER_WORDS[visit.locale].newUser, page, problem ? 422 : 200);
  }
}
