import { Body, Get, Post, Query, Req } from '@nestjs/common';
import { PasswordService } from '../../auth/passwords/password.service';
import { SessionService } from '../../auth/sessions/session.service';
import { type Form, rawTextOf, textOf } from '../http/form';
import { CurrentPageContext, type PanelRequest, type PageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { SIGN_IN_MESSAGES } from '../messages/sign-in.messages';
import { PanelSessions } from './panel-sessions';
import { SignInPage } from './sign-in.page';
import { SignInThrottle } from './sign-in.throttle';

@PanelController('', 'anyone')
export class SignInController {
  constructor(
    private readonly passwords: PasswordService,
    private readonly throttle: SignInThrottle,
    private readonly sessions: SessionService,
    private readonly panelSessions: PanelSessions,
  ) {}

  @Get()
  start(@CurrentPageContext() { user }: PageContext): Reply {
    if (!user) return new SeeOther('/panel/sign-in');
    return new SeeOther(user.operator ? '/panel/operator/business' : '/panel/tokens');
  }

  @Get('sign-in')
  show(@CurrentPageContext() pageContext: PageContext, @Query() query: Form): Reply {
    if (pageContext.user) return new SeeOther(ownPath(textOf(query, 'next')));
    return new Page(SIGN_IN_MESSAGES[pageContext.locale].title, <SignInPage pageContext={pageContext} />);
  }

  @Post('sign-in')
  async signIn(
    @CurrentPageContext() pageContext: PageContext,
    @Req() request: PanelRequest,
    @Body() form: Form,
    @Query() query: Form,
  ): Promise<Reply> {
    const messages = SIGN_IN_MESSAGES[pageContext.locale];
    const email = textOf(form, 'email');
    const succeeded = await this.throttle.attempt(request, email);
    const identity = await this.passwords.findUser(email, rawTextOf(form, 'password'));
    if (!identity || !(await this.panelSessions.start(request, identity))) {
      const problem = { field: 'password', text: messages.wrong };
      return new Page(messages.title, <SignInPage pageContext={pageContext} email={email} problem={problem} />, 401);
    }
    await succeeded();
    return new SeeOther(ownPath(textOf(query, 'next')));
  }

  @Post('sign-out')
  async signOut(@Req() request: PanelRequest): Promise<Reply> {
    await this.panelSessions.end(request);
    return new SeeOther('/panel/sign-in');
  }

  @Post('sign-out-everywhere')
  async signOutEverywhere(
    @CurrentPageContext() pageContext: PageContext,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    if (pageContext.user) await this.sessions.endAllOf(pageContext.user.id);
    await this.panelSessions.end(request);
    return new SeeOther('/panel/sign-in');
  }
}

/** Back to the page that was asked for, within the panel. */
function ownPath(next: string): string {
  return /^\/panel(?:[/?][\w\-./?=&%+~*]*)?$/.test(next) ? next : '/panel';
}
