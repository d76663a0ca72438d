import { Body, Get, Post, Query, Req } from '@nestjs/common';
import { InvitationService } from '../../auth/invitations/invitation.service';
import { type Form, rawTextOf, textOf } from '../http/form';
import { problemOf } from '../http/form-refusal';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type PanelRequest, type Visit } from '../http/page-context';
import type { FormProblem } from '../layout/form-problem';
import { InvalidInvitationPage, InvitationPage } from './invitation.page';
import { PanelSessions } from './panel-sessions';
import { problemOfNewPassword } from './password-fields';
import { SIGN_IN_WORDS } from '../messages/sign-in.messages';

/** Looking at a link does not use it up: mail programs and chats look at every link. */
@PanelController('invitation', 'anyone')
export class InvitationController {
  constructor(
    private readonly invitations: InvitationService,
    private readonly sessions: PanelSessions,
  ) {}

  @Get()
  async show(@CurrentVisit() visit: Visit, @Query() query: Form): Promise<Reply> {
    const invited = await this.invitations.find(textOf(query, 'key'));
    if (!invited) return invalid(visit);
    const { invitationTitle } = SIGN_IN_WORDS[visit.locale];
    return new Page(invitationTitle, <InvitationPage visit={visit} invited={invited} />);
  }

  @Post()
  async redeem(
    @CurrentVisit() visit: Visit,
    @Req() request: PanelRequest,
    @Query() query: Form,
    @Body() form: Form,
  ): Promise<Reply> {
    const words = SIGN_IN_WORDS[visit.locale];
    const invited = await this.invitations.find(textOf(query, 'key'));
    if (!invited) return invalid(visit);
    const [email, name] = [textOf(form, 'email'), textOf(form, 'name')];
    const again = (problem: FormProblem) => {
      const page = <InvitationPage visit={visit} invited={invited} problem={problem} email={email} name={name} />;
      return new Page(words.invitationTitle, page, 422);
    };
    const problem = problemOfNewPassword(form, visit);
    if (problem) return again(problem);
    try {
      const identity = await this.invitations.redeem(textOf(query, 'key'), {
        password: rawTextOf(form, 'password'),
        email,
        name,
        address: visit.address,
      });
      if (!(await this.sessions.start(request, identity))) return new SeeOther('/panel/sign-in');
    } catch (error) {
      return again(problemOf(error, visit.locale));
    }
    return new SeeOther('/panel', { kind: 'done', text: words.welcome });
  }
}

function invalid(visit: Visit): Page {
  return new Page(SIGN_IN_WORDS[visit.locale].invalid, <InvalidInvitationPage visit={visit} />, 404);
}
