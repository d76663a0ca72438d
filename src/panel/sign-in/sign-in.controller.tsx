import { Body, Get, Post, Query, Req } from '@nestjs/common';
import { PasswordService } from '../../auth/passwords/password.service';
import { SessionService } from '../../auth/sessions/session.service';
import { SignInLog } from '../../auth/sign-in-log';
import { SignUpService } from '../../auth/sign-ups/sign-up.service';
import { MailOutbox } from '../../mail/mail-outbox';
import { type Form, rawTextOf, textOf } from '../http/form';
import { operatorOf, type PanelRequest, ThisVisit, type UserVisit, type Visit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { ShownAt } from '../layout/current-visit';
import { codePath, ownPath } from './own-path';
import { PanelSessions } from './panel-sessions';
import { SignInSteps } from './sign-in-steps';
import { CodePage, SignInPage, type WaysIn } from './sign-in.page';
import { SignInThrottle } from './sign-in.throttle';

@PanelController('', 'anyone')
export class SignInController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly throttle: SignInThrottle,
    private readonly sessions: SessionService,
    private readonly panelSessions: PanelSessions,
    private readonly steps: SignInSteps,
    private readonly log: SignInLog,
    private readonly signUps: SignUpService,
    private readonly outbox: MailOutbox,
  ) {}

  @Get()
  start(@ThisVisit() { user }: Visit): Reply {
    if (!user) return new SeeOther('/panel/sign-in');
    return new SeeOther(user.operator ? '/panel/operator/today' : '/panel/home');
  }

  @Get('sign-in')
  show(@ThisVisit() visit: Visit, @Query() query: Form): Reply {
    if (visit.user) return new SeeOther(ownPath(textOf(query, 'next')));
    return new Page(visit.messages.signIn.title, <SignInPage ways={this.ways()} />);
  }

  @Post('sign-in')
  async signIn(
    @ThisVisit() visit: Visit,
    @Req() request: PanelRequest,
    @Body() form: Form,
    @Query() query: Form,
  ): Promise<Reply> {
    const messages = visit.messages.signIn;
    const email = textOf(form, 'email');
    const password = rawTextOf(form, 'password');
    const identity = await this.throttle.attempt(request, email, (whom) =>
      this.passwords.findUser(email, password, whom),
    );
    if (!identity) this.log.failed(email, visit.address, 'password');
    const next = ownPath(textOf(query, 'next'));
    const step = identity && (await this.steps.begin(request, { ...identity, by: 'password' }));
    if (step === 'signed-in') return new SeeOther(next);
    if (step === 'code') return new SeeOther(codePath(next));
    const problem = { field: 'password', text: messages.wrong };
    return new Page(messages.title, <SignInPage ways={this.ways()} email={email} problem={problem} />, 401);
  }

  @Get('sign-in/code')
  async showCode(@ThisVisit() visit: Visit, @Req() request: PanelRequest, @Query() query: Form): Promise<Reply> {
    if (!(await this.steps.find(request))) {
      return new SeeOther(visit.user ? ownPath(textOf(query, 'next')) : '/panel/sign-in');
    }
    return new Page(visit.messages.access.codeTitle, <CodePage />);
  }

  @Post('sign-in/code')
  async giveCode(
    @ThisVisit() visit: Visit,
    @Req() request: PanelRequest,
    @Body() form: Form,
    @Query() query: Form,
  ): Promise<Reply> {
    const messages = visit.messages.access;
    const pending = await this.steps.find(request);
    if (!pending) {
      const page = (
        <ShownAt url="/panel/sign-in">
          <SignInPage ways={this.ways()} problem={{ text: messages.codeTooLate }} />
        </ShownAt>
      );
      return new Page(visit.messages.signIn.title, page, 401);
    }
    const step = await this.steps.giveCode(request, pending, textOf(form, 'code'));
    if (step === 'signed-in') return new SeeOther(ownPath(textOf(query, 'next')));
    if (step === null) return new SeeOther('/panel/sign-in');
    const problem = { field: 'code', text: messages.codeWrong };
    return new Page(messages.codeTitle, <CodePage problem={problem} />, 401);
  }

  @Post('sign-out')
  async signOut(@Req() request: PanelRequest): Promise<Reply> {
    await this.panelSessions.end(request);
    return new SeeOther('/panel/sign-in');
  }

  @Post('sign-out-everywhere')
  async signOutEverywhere(@ThisVisit() visit: Visit, @Req() request: PanelRequest): Promise<Reply> {
    const { user } = visit;
    if (user) await this.sessions.endOwn(operatorOf(visit as UserVisit), user);
    await this.panelSessions.end(request);
    return new SeeOther('/panel/sign-in');
  }

  private ways(): WaysIn {
    return { signUp: this.signUps.isOpen, forgot: this.outbox.isOpen };
  }
}
