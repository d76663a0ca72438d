import { Body, Get, Post, Req } from '@nestjs/common';
import { InvitationService } from '../../auth/invitations/invitation.service';
import { clientAddress, networkOf } from '../../common/http/client-ip';
import { MailOutbox } from '../../mail/mail-outbox';
import { checkEmail } from '../../users/user.validation';
import { type Form, problemOf, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { type PanelRequest, ThisVisit, type Visit } from '../http/visit';
import { FormLimit } from './form-limit';
import { ForgotPage, SaidPage } from './sign-up.pages';

/** A link to a new password, by mail. The answer says nothing of who has an account. */
@PanelController('forgot', 'anyone')
export class ForgotController {
  constructor(
    private readonly invitations: InvitationService,
    private readonly outbox: MailOutbox,
    private readonly forms: FormLimit,
  ) {}

  @Get()
  show(@ThisVisit() { messages }: Visit): Reply {
    this.requireMail();
    return new Page(messages.signUp.forgotTitle, <ForgotPage />);
  }

  @Post()
  async ask(@ThisVisit() visit: Visit, @Req() request: PanelRequest, @Body() form: Form): Promise<Reply> {
    this.requireMail();
    const typed = textOf(form, 'email');
    const isCounted = await this.forms.take(request);
    try {
      const email = checkEmail(typed);
      if (isCounted) await this.invitations.askReset(email, visit.locale, networkOf(clientAddress(request)));
    } catch (error) {
      const page = <ForgotPage email={typed} problem={problemOf(error, visit)} />;
      return new Page(visit.messages.signUp.forgotTitle, page, 422);
    }
    return new SeeOther('/panel/forgot/sent');
  }

  @Get('sent')
  showSent(@ThisVisit() { messages }: Visit): Reply {
    this.requireMail();
    const { sentTitle, forgotSent, notArrived } = messages.signUp;
    return new Page(sentTitle, <SaidPage title={sentTitle} texts={[forgotSent, notArrived]} />);
  }

  /** @throws PanelError as any page that is not there */
  private requireMail(): void {
    if (!this.outbox.isOpen) throw new PanelError('not-found');
  }
}
