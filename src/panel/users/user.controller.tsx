import { Body, Get, Inject, Post, Query, Req } from '@nestjs/common';
import { UserAdminService } from '../../admin/user-admin.service';
import { InvitationService } from '../../auth/invitations/invitation.service';
import { SignUpService } from '../../auth/sign-ups/sign-up.service';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { MailOutbox } from '../../mail/mail-outbox';
import {
  CUSTOMER_ORDERS,
  CustomerListRepository,
  type CustomerOrder,
  type CustomerTotals,
} from '../../reporting/reports/customer-list.repository';
import type { UserRecord } from '../../users/user.service';
import { normaliseEmail } from '../../users/user.validation';
import { type Form, problemOf, textOf, uuidOf } from '../http/form';
import { type Outcome, operatorOf, type PanelRequest, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { confirmationPage, cutPage, type FormProblem, PAGE_SIZE } from '../layout/components';
import { InvitationLinkPage } from './invitation-link.page';
import { leaveLink, takeLink } from './link-once';
import { NewUserPage } from './new-user.page';
import { changesPower, readChanges, readSettings, typedSettings } from './settings-form';
import { tabPath, UserById, userPath } from './user-by-id.pipe';
import { UserListPage } from './user-list.page';
import { UserPages } from './user-pages';

@PanelController('operator/users', 'operator')
export class UserController {
  constructor(
    private readonly users: CustomerListRepository,
    private readonly pages: UserPages,
    private readonly admin: UserAdminService,
    private readonly invitations: InvitationService,
    private readonly signUps: SignUpService,
    private readonly outbox: MailOutbox,
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const prefix = normaliseEmail(textOf(query, 'email'));
    const asked = CUSTOMER_ORDERS.find((one) => one === textOf(query, 'sort')) ?? null;
    const totals = await this.users.totals(prefix);
    const order = orderOf(asked, totals);
    const wanted = { prefix, order, after: uuidOf(query, 'after'), limit: PAGE_SIZE + 1 };
    const [found, waiting] = await Promise.all([this.users.page(wanted), this.signUps.countWaiting()]);
    const shown = { page: cutPage(found, ({ id }) => id), prefix, asked, order, totals, waiting: waiting.count };
    return new Page(visit.messages.user.title, <UserListPage {...shown} />);
  }

  @Get('new')
  showForm(@ThisVisit() visit: UserVisit): Reply {
    return this.form(visit);
  }

  @Post('new')
  @PasswordAgain()
  async create(@ThisVisit() visit: UserVisit, @Body() form: Form, @Req() request: PanelRequest): Promise<Reply> {
    const messages = visit.messages.user;
    try {
      const settings = readSettings(typedSettings(form), messages, this.pricing.usesAccountPrice);
      const user = await this.admin.create(operatorOf(visit), textOf(form, 'email'), settings);
      return await this.makeLink(visit, user, request, { kind: 'done', text: messages.wasCreated });
    } catch (error) {
      return this.form(visit, form, problemOf(error, visit));
    }
  }

  @Post(':id')
  @PasswordAgain(changesPower)
  async update(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.user;
    try {
      const { changes, shown } = readChanges(form, messages, this.pricing.usesAccountPrice);
      await this.admin.update(operatorOf(visit), user.email, changes, { seen: shown });
      return SeeOther.done(tabPath(user, 'access'), messages.saved);
    } catch (error) {
      return this.pages.refused(visit, user, { of: 'settings', form }, error);
    }
  }

  @Get(':id/disable')
  confirmDisabling(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord): Reply {
    const messages = visit.messages.user;
    return confirmationPage({
      title: messages.disableConfirmation,
      facts: [
        [messages.email, user.email],
        [messages.name, user.name],
      ],
      text: messages.disableText,
      action: `${userPath(user)}/state`,
      fields: { state: 'disabled' },
      button: messages.disable,
      back: tabPath(user, 'access'),
    });
  }

  /** Disabling a user has to be quick; enabling one brings role and tokens back. */
  @Post(':id/state')
  @PasswordAgain((form) => !isDisabling(form))
  setState(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.user;
    const disabled = isDisabling(form);
    return submitAndRedirect(visit, tabPath(user, 'access'), async () => {
      await this.admin[disabled ? 'disable' : 'enable'](operatorOf(visit), user.email);
      return disabled ? messages.wasDisabled : messages.wasEnabled;
    });
  }

  @Post(':id/sessions')
  endSessions(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord): Promise<Reply> {
    return submitAndRedirect(visit, tabPath(user, 'access'), async () => {
      const count = await this.admin.endSessions(operatorOf(visit), user.email);
      return visit.messages.user.sessionsEnded(count);
    });
  }

  /** Redirects to a page of its own: reloading this answer would make another link and end the one just copied. */
  @Post(':id/invitation')
  @PasswordAgain()
  async invite(
    @ThisVisit() visit: UserVisit,
    @UserById() user: UserRecord,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    return this.makeLink(visit, user, request);
  }

  @Get(':id/invitation')
  async showLink(
    @ThisVisit() visit: UserVisit,
    @UserById() user: UserRecord,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    const made = takeLink(request, user.id);
    // Two forms sent together: the second link has ended the first.
    const key = made && new URL(made.url).searchParams.get('key');
    const link = key && (await this.invitations.find(key)) ? made : null;
    // The link shows once, so switching the language must not reload the page.
    if (link) request.visit = { ...visit, answersForm: true };
    const page = (
      <InvitationLinkPage email={user.email} link={link} back={tabPath(user, 'access')} mailed={this.outbox.isOpen} />
    );
    return new Page(visit.messages.user.linkTitle, page);
  }

  @Post(':id/invitation/withdraw')
  withdrawLink(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord): Promise<Reply> {
    const messages = visit.messages.user;
    return submitAndRedirect(visit, tabPath(user, 'access'), async () =>
      (await this.admin.withdrawLink(operatorOf(visit), user.email)) ? messages.linkWithdrawn : messages.noLink,
    );
  }

  private async makeLink(
    visit: UserVisit,
    user: UserRecord,
    request: PanelRequest,
    outcome?: Outcome,
  ): Promise<SeeOther> {
    const { url, expiresAt } = await this.admin.invite(operatorOf(visit), user.email);
    leaveLink(request, { userId: user.id, url, expiresAt: expiresAt.toISOString() });
    return new SeeOther(`${userPath(user)}/invitation`, outcome);
  }

  private form(visit: UserVisit, form?: Form, problem?: FormProblem): Page {
    const priced = this.pricing.usesAccountPrice;
    const page = <NewUserPage priced={priced} form={form} problem={problem} />;
    return new Page(visit.messages.user.newUser, page, problem ? 422 : 200);
  }
}

/** Too many to be ranked by need are shown as the index has them. */
function orderOf(asked: CustomerOrder | null, { sums }: CustomerTotals): CustomerOrder {
  if (asked === null) return sums === null ? 'email' : 'need';
  return asked === 'need' && sums === null ? 'poorest' : asked;
}

function isDisabling(form: Form): boolean {
  return textOf(form, 'state') === 'disabled';
}
