import { Body, Get, Post, Req } from '@nestjs/common';
import { PasswordService } from '../../auth/passwords/password.service';
import { SessionService } from '../../auth/sessions/session.service';
import { type Form, rawTextOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { SignInRequiredError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type PanelRequest, type SignedInVisit } from '../http/page-context';
import type { FormProblem } from '../layout/form-problem';
import { AccountPage } from './account.page';
import { PanelSessions } from './panel-sessions';
import { problemOfNewPassword } from './password-fields';
import { SignInThrottle } from './sign-in.throttle';
import { SIGN_IN_WORDS } from '../messages/sign-in.messages';

@PanelController('account', 'user')
export class AccountController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly panelSessions: PanelSessions,
    private readonly throttle: SignInThrottle,
  ) {}

  @Get()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Reply> {
    return this.page(visit);
  }

  @Post()
  async changePassword(
    @CurrentVisit() visit: SignedInVisit,
    @Req() request: PanelRequest,
    @Body() form: Form,
  ): Promise<Reply> {
    const words = SIGN_IN_WORDS[visit.locale];
    const problem = problemOfNewPassword(form, visit);
    if (problem) return this.page(visit, problem);
    const succeeded = await this.throttle.attemptAgain(request, visit);
    const identity = await this.passwords.verify(visit.user.id, rawTextOf(form, 'current'));
    if (!identity) return this.page(visit, { field: 'current', text: words.wrongCurrent });
    await succeeded();
    const changed = await this.passwords.set(visit.user.id, rawTextOf(form, 'password'), identity.sessionEpoch);
    // All sessions were ended meanwhile, this one with them.
    if (!changed || !(await this.panelSessions.start(request, changed))) throw new SignInRequiredError();
    return new SeeOther('/panel/account', { kind: 'done', text: words.changed });
  }

  private async page(visit: SignedInVisit, problem?: FormProblem): Promise<Page> {
    const sessions = await this.sessions.countOf(visit.user.id);
    const title = SIGN_IN_WORDS[visit.locale].accountTitle;
    return new Page(title, <AccountPage visit={visit} sessions={sessions} problem={problem} />, problem ? 422 : 200);
  }
}
