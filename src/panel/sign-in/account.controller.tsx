import { Body, Get, Post, Req } from '@nestjs/common';
import { PasswordService } from '../../auth/passwords/password.service';
import { SecondFactorService } from '../../auth/second-factors/second-factor.service';
import { SessionService } from '../../auth/sessions/session.service';
import { SignInLog } from '../../auth/sign-in-log';
import { ActLimits } from '../http/act-limit';
import { type Form, rawTextOf, textOf } from '../http/form';
import { problemOf } from '../http/form-refusal';
import { operatorOf } from '../http/operator';
import { CurrentPageContext, type PanelRequest, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { SignInRequiredError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { submitAndRedirect } from '../http/submit-and-redirect';
import type { FormProblem } from '../layout/form-problem';
import { AccountPage } from './account.page';
import { PanelSessions } from './panel-sessions';
import { endsTokens, problemOfNewPassword } from './password-fields';
import { SignInThrottle } from './sign-in.throttle';

const ACCOUNT = '/panel/account';

@PanelController('account', 'user')
export class AccountController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly factors: SecondFactorService,
    private readonly panelSessions: PanelSessions,
    private readonly throttle: SignInThrottle,
    private readonly log: SignInLog,
    private readonly actLimits: ActLimits,
  ) {}

  @Get()
  async show(@CurrentPageContext() pageContext: SignedInPageContext, @Req() request: PanelRequest): Promise<Reply> {
    return this.page(pageContext, request);
  }

  @Post()
  async changePassword(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @Req() request: PanelRequest,
    @Body() form: Form,
  ): Promise<Reply> {
    const { user, address } = pageContext;
    const messages = pageContext.messages.signIn;
    const again = (problem: FormProblem) => this.page(pageContext, request, problem);
    const problem = problemOfNewPassword(form, pageContext);
    if (problem) return again(problem);
    const current = rawTextOf(form, 'current');
    const identity = await this.throttle.again(request, pageContext, () => this.passwords.verify(user.id, current));
    if (!identity) {
      this.log.failed(user.email, address, 'password-again');
      return again({ field: 'current', text: messages.wrongCurrent });
    }
    await this.actLimits.take('password', user.id);
    try {
      const changed = await this.passwords.change(
        operatorOf(pageContext),
        identity,
        rawTextOf(form, 'password'),
        request.sessionID,
        { revokesTokens: endsTokens(form) },
      );
      // All sessions were ended meanwhile, this one with them. It had passed the second factor, where there is one.
      if (!changed || !(await this.panelSessions.start(request, changed, true))) throw new SignInRequiredError();
    } catch (error) {
      if (error instanceof SignInRequiredError) throw error;
      return again(problemOf(error, pageContext));
    }
    return new SeeOther(ACCOUNT, {
      kind: 'done',
      text: endsTokens(form) ? messages.changedWithTokens : messages.changed,
    });
  }

  @Post('sessions')
  endSession(@CurrentPageContext() pageContext: SignedInPageContext, @Body() form: Form): Promise<Reply> {
    const messages = pageContext.messages.access;
    return submitAndRedirect(pageContext, ACCOUNT, async () => {
      const key = textOf(form, 'session');
      const ended = await this.sessions.endOne(operatorOf(pageContext), pageContext.user, key);
      return ended ? messages.sessionEnded : messages.sessionGone;
    });
  }

  private async page(pageContext: SignedInPageContext, request: PanelRequest, problem?: FormProblem): Promise<Page> {
    const { id } = pageContext.user;
    const [count, sessions, factor] = await Promise.all([
      this.sessions.countOf(id),
      this.sessions.listOf(id, request.sessionID),
      this.factors.find(id),
    ]);
    const page = <AccountPage {...{ count, sessions, factor, problem }} />;
    return new Page(pageContext.messages.signIn.accountTitle, page, problem ? 422 : 200);
  }
}
