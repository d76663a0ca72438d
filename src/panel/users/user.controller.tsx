import { Body, Get, Inject, Post, Query, Req } from '@nestjs/common';
import { UserAdminService } from '../../admin/user-admin.service';
import { InvitationService } from '../../auth/invitations/invitation.service';
import { PRICING, type PricingStrategy } from '../../billing/pricing/pricing.strategy';
import { CUSTOMER_ORDERS, CustomerListRepository } from '../../reporting/reports/customer-list.repository';
import type { UserRecord } from '../../users/user.service';
import { normaliseEmail } from '../../users/user.validation';
import { type Form, textOf, uuidOf } from '../http/form';
import { problemOf } from '../http/form-refusal';
import { operatorOf } from '../http/operator';
import { CurrentPageContext, type Notice, type PanelRequest, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { PasswordAgain } from '../http/password-again.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { submitAndRedirect } from '../http/submit-and-redirect';
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
    @Inject(PRICING) private readonly pricing: PricingStrategy,
  ) {}

  @Get()
  async list(@CurrentPageContext() pageContext: SignedInPageContext, @Query() query: Form): Promise<Reply> {
    const prefix = normaliseEmail(textOf(query, 'email'));
    const order = CUSTOMER_ORDERS.find((one) => one === textOf(query, 'sort')) ?? 'email';
    const found = await this.users.page({ prefix, order, after: uuidOf(query, 'after'), limit: PAGE_SIZE + 1 });
    const page = cutPage(found, ({ id }) => id);
    return new Page(pageContext.messages.user.title, <UserListPage {...{ page, prefix, order }} />);
  }

  @Get('new')
  showForm(@CurrentPageContext() pageContext: SignedInPageContext): Reply {
    return this.form(pageContext);
  }

  @Post('new')
  @PasswordAgain()
  async create(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @Body() form: Form,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    const messages = pageContext.messages.user;
    try {
      const settings = readSettings(typedSettings(form), messages, this.pricing.usesAccountPrice);
      const user = await this.admin.create(operatorOf(pageContext), textOf(form, 'email'), settings);
      return await this.makeLink(pageContext, user, request, { kind: 'done', text: messages.wasCreated });
    } catch (error) {
      return this.form(pageContext, form, problemOf(error, pageContext));
    }
  }

  @Post(':id')
  @PasswordAgain(changesPower)
  async update(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = pageContext.messages.user;
    try {
      const { changes, shown } = readChanges(form, messages, this.pricing.usesAccountPrice);
      await this.admin.update(operatorOf(pageContext), user.email, changes, { seen: shown });
      return new SeeOther(tabPath(user, 'access'), { kind: 'done', text: messages.saved });
    } catch (error) {
      return this.pages.refused(pageContext, user, { of: 'settings', form }, error);
    }
  }

  @Get(':id/disable')
  confirmDisabling(@CurrentPageContext() pageContext: SignedInPageContext, @UserById() user: UserRecord): Reply {
    const messages = pageContext.messages.user;
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
  setState(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = pageContext.messages.user;
    const disabled = isDisabling(form);
    return submitAndRedirect(pageContext, tabPath(user, 'access'), async () => {
      await this.admin[disabled ? 'disable' : 'enable'](operatorOf(pageContext), user.email);
      return disabled ? messages.wasDisabled : messages.wasEnabled;
    });
  }

  @Post(':id/sessions')
  endSessions(@CurrentPageContext() pageContext: SignedInPageContext, @UserById() user: UserRecord): Promise<Reply> {
    return submitAndRedirect(pageContext, tabPath(user, 'access'), async () => {
      const count = await this.admin.endSessions(operatorOf(pageContext), user.email);
      return pageContext.messages.user.sessionsEnded(count);
    });
  }

  /** Redirects to a page of its own: reloading this answer would make another link and end the one just copied. */
  @Post(':id/invitation')
  @PasswordAgain()
  async invite(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    return this.makeLink(pageContext, user, request);
  }

  @Get(':id/invitation')
  async showLink(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    const made = takeLink(request, user.id);
    // Two forms sent together: the second link has ended the first.
    const key = made && new URL(made.url).searchParams.get('key');
    const link = key && (await this.invitations.find(key)) ? made : null;
    // The link shows once, so switching the language must not reload the page.
    if (link) request.pageContext = { ...pageContext, answersForm: true };
    const page = <InvitationLinkPage email={user.email} link={link} back={tabPath(user, 'access')} />;
    return new Page(pageContext.messages.user.linkTitle, page);
  }

  @Post(':id/invitation/withdraw')
  withdrawLink(@CurrentPageContext() pageContext: SignedInPageContext, @UserById() user: UserRecord): Promise<Reply> {
    const messages = pageContext.messages.user;
    return submitAndRedirect(pageContext, tabPath(user, 'access'), async () =>
      (await this.admin.withdrawLink(operatorOf(pageContext), user.email)) ? messages.linkWithdrawn : messages.noLink,
    );
  }

  private async makeLink(
    pageContext: SignedInPageContext,
    user: UserRecord,
    request: PanelRequest,
    notice?: Notice,
  ): Promise<SeeOther> {
    const { url, expiresAt } = await this.admin.invite(operatorOf(pageContext), user.email);
    leaveLink(request, { userId: user.id, url, expiresAt: expiresAt.toISOString() });
    return new SeeOther(`${userPath(user)}/invitation`, notice);
  }

  private form(pageContext: SignedInPageContext, form?: Form, problem?: FormProblem): Page {
    const priced = this.pricing.usesAccountPrice;
    const page = <NewUserPage priced={priced} form={form} problem={problem} />;
    return new Page(pageContext.messages.user.newUser, page, problem ? 422 : 200);
  }
}

function isDisabling(form: Form): boolean {
  return textOf(form, 'state') === 'disabled';
}
