import { Body, Get, Post, Req } from '@nestjs/common';
import { PasswordService } from '../../auth/passwords/password.service';
import { SecondFactorService } from '../../auth/second-factors/second-factor.service';
import { SessionService } from '../../auth/sessions/session.service';
import { SignInLog } from '../../auth/sign-in-log';
import { MailOutbox } from '../../mail/mail-outbox';
import { ActLimits } from '../http/act-limit';
import { type Form, problemOf, rawTextOf, textOf } from '../http/form';
import { operatorOf, type PanelRequest, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { SignInRequiredError } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
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
    private readonly outbox: MailOutbox,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit, @Req() request: PanelRequest): Promise<Reply> {
    return this.page(visit, request);
  }

  @Post()
  async changePassword(
    @ThisVisit() visit: UserVisit,
    @Req() request: PanelRequest,
    @Body() form: Form,
  ): Promise<Reply> {
    const { user, address } = visit;
    const messages = visit.messages.signIn;
    const again = (problem: FormProblem) => this.page(visit, request, problem);
    const problem = problemOfNewPassword(form, visit);
    if (problem) return again(problem);
    const current = rawTextOf(form, 'current');
    const identity = await this.throttle.again(request, visit, () => this.passwords.verify(user.id, current));
    if (!identity) {
      this.log.failed(user.email, address, 'password-again');
      return again({ field: 'current', text: messages.wrongCurrent });
    }
    await this.actLimits.take('password', user.id);
    try {
      const changed = await this.passwords.change(
        operatorOf(visit),
        identity,
        rawTextOf(form, 'password'),
        request.sessionID,
        { revokesTokens: endsTokens(form) },
      );
      // All sessions were ended meanwhile, this one with them. It had passed the second factor, where there is one.
      if (!changed || !(await this.panelSessions.start(request, changed, true))) throw new SignInRequiredError();
    } catch (error) {
      if (error instanceof SignInRequiredError) throw error;
      return again(problemOf(error, visit));
    }
    return SeeOther.done(ACCOUNT, endsTokens(form) ? messages.changedWithTokens : messages.changed);
  }

  @Post('sessions')
  endSession(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.access;
    return submitAndRedirect(visit, ACCOUNT, async () => {
      const key = textOf(form, 'session');
      const ended = await this.sessions.endOne(operatorOf(visit), visit.user, key);
      return ended ? messages.sessionEnded : messages.sessionGone;
    });
  }

  private async page(visit: UserVisit, request: PanelRequest, problem?: FormProblem): Promise<Page> {
    const { id } = visit.user;
    const [count, sessions, factor] = await Promise.all([
      this.sessions.countOf(id),
      this.sessions.listOf(id, request.sessionID),
      this.factors.find(id),
    ]);
    const page = <AccountPage {...{ count, sessions, factor, problem }} mails={this.outbox.isOpen} />;
    return new Page(visit.messages.signIn.accountTitle, page, problem ? 422 : 200);
  }
}
