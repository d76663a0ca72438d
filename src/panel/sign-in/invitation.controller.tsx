import { Body, Get, Post, Query, Req } from '@nestjs/common';
import { InvitationService } from '../../auth/invitations/invitation.service';
import { type Form, problemOf, rawTextOf, textOf } from '../http/form';
import { ThisVisit, type PanelRequest, type Visit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import type { FormProblem } from '../layout/form-problem';
import { InvalidInvitationPage, InvitationPage } from './invitation.page';
import { codePath } from './own-path';
import { endsTokens, problemOfNewPassword } from './password-fields';
import { SignInSteps } from './sign-in-steps';
import { SignInThrottle } from './sign-in.throttle';

/** Looking at a link does not use it up: mail programs and chats look at every link. */
@PanelController('invitation', 'anyone')
export class InvitationController {
  constructor(
    private readonly invitations: InvitationService,
    private readonly steps: SignInSteps,
    private readonly throttle: SignInThrottle,
  ) {}

  @Get()
  async show(@ThisVisit() visit: Visit, @Query() query: Form): Promise<Reply> {
    const invited = await this.invitations.find(textOf(query, 'key'));
    if (!invited) return invalid(visit);
    const { invitationTitle } = visit.messages.signIn;
    return new Page(invitationTitle, <InvitationPage invited={invited} />);
  }

  @Post()
  async redeem(
    @ThisVisit() visit: Visit,
    @Req() request: PanelRequest,
    @Query() query: Form,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = visit.messages.signIn;
    const key = textOf(query, 'key');
    const invited = await this.invitations.find(key);
    if (!invited) return invalid(visit);
    const [email, name] = [textOf(form, 'email'), textOf(form, 'name')];
    const again = (problem: FormProblem) => {
      const page = <InvitationPage invited={invited} problem={problem} form={form} />;
      return new Page(messages.invitationTitle, page, 422);
    };
    const problem = problemOfNewPassword(form, visit);
    if (problem) return again(problem);
    try {
      const chosen = {
        password: rawTextOf(form, 'password'),
        email,
        name,
        address: visit.address,
        revokesTokens: endsTokens(form),
      };
      const identity = (await this.throttle.link(request, key, () => this.invitations.redeem(key, chosen)))!;
      const step = await this.steps.begin(request, { ...identity, by: 'link' });
      if (step === null) return new SeeOther('/panel/sign-in');
      // A link sets a password, and takes nobody past the second factor.
      if (step === 'code') return new SeeOther(codePath());
    } catch (error) {
      return again(problemOf(error, visit));
    }
    return SeeOther.done('/panel', invited.user && endsTokens(form) ? messages.welcomeWithTokens : messages.welcome);
  }
}

function invalid(visit: Visit): Page {
  return new Page(visit.messages.signIn.invalid, <InvalidInvitationPage />, 404);
}
