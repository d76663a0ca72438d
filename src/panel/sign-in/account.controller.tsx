import { Body, Get, Post, Req } from '@nestjs/common';
import { PasswordService } from '../../auth/passwords/password.service';
import { SessionService } from '../../auth/sessions/session.service';
import { type Form, rawTextOf } from '../http/form';
import { CurrentPageContext, type PanelRequest, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { SignInRequiredError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import type { FormProblem } from '../layout/form-problem';
import { SIGN_IN_MESSAGES } from '../messages/sign-in.messages';
import { AccountPage } from './account.page';
import { PanelSessions } from './panel-sessions';
import { problemOfNewPassword } from './password-fields';
import { SignInThrottle } from './sign-in.throttle';

@PanelController('account', 'user')
export class AccountController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly panelSessions: PanelSessions,
    private readonly throttle: SignInThrottle,
  ) {}

  @Get()
  async show(@CurrentPageContext() pageContext: SignedInPageContext): Promise<Reply> {
    return this.page(pageContext);
  }

  @Post()
  async changePassword(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @Req() request: PanelRequest,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = SIGN_IN_MESSAGES[pageContext.locale];
    const problem = problemOfNewPassword(form, pageContext);
    if (problem) return this.page(pageContext, problem);
    const succeeded = await this.throttle.attemptAgain(request, pageContext);
    const identity = await this.passwords.verify(pageContext.user.id, rawTextOf(form, 'current'));
    if (!identity) return this.page(pageContext, { field: 'current', text: messages.wrongCurrent });
    await succeeded();
    const changed = await this.passwords.set(pageContext.user.id, rawTextOf(form, 'password'), identity.sessionEpoch);
    // All sessions were ended meanwhile, this one with them.
    if (!changed || !(await this.panelSessions.start(request, changed))) throw new SignInRequiredError();
    return new SeeOther('/panel/account', { kind: 'done', text: messages.changed });
  }

  private async page(pageContext: SignedInPageContext, problem?: FormProblem): Promise<Page> {
    const sessions = await this.sessions.countOf(pageContext.user.id);
    const title = SIGN_IN_MESSAGES[pageContext.locale].accountTitle;
    return new Page(
      title,
      <AccountPage pageContext={pageContext} sessions={sessions} problem={problem} />,
      problem ? 422 : 200,
    );
  }
}
