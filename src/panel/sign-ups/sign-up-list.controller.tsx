import { Body, Get, Post, Query } from '@nestjs/common';
import { SignUpAdminService } from '../../admin/sign-up-admin.service';
import { SignUpService } from '../../auth/sign-ups/sign-up.service';
import { MailRepository } from '../../mail/mail.repository';
import { DomainError, MissingError } from '../../common/errors/domain.error';
import { type Form, problemOf, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { Confirmation, Field, type FormProblem } from '../layout/components';
import { SIGN_UPS, SignUpListPage } from './sign-up-list.page';

/** A screen of them: the next ones follow as these are decided. */
const MOST_SHOWN = 100;
const MOST_MAILS = 25;

/** Those who wait for an account: it takes one click to open it, and a reason to refuse it. */
@PanelController('operator/sign-ups', 'operator')
export class SignUpListController {
  constructor(
    private readonly admin: SignUpAdminService,
    private readonly signUps: SignUpService,
    private readonly mails: MailRepository,
  ) {}

  @Get()
  async list(@ThisVisit() { messages }: UserVisit): Promise<Reply> {
    const [waiting, mails] = await Promise.all([this.admin.waiting(MOST_SHOWN), this.mails.latest(MOST_MAILS)]);
    const page = <SignUpListPage waiting={waiting} mails={mails} open={this.signUps.isOpen} />;
    return new Page(messages.signUps.title, page);
  }

  @Post('approve')
  async approve(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    try {
      const { email } = await this.admin.approve(operatorOf(visit), textOf(form, 'email'));
      return SeeOther.done(SIGN_UPS, visit.messages.signUps.approved(email));
    } catch (error) {
      return decidedMeanwhile(error, visit);
    }
  }

  @Get('refuse')
  askNote(@ThisVisit() visit: UserVisit, @Query() query: Form): Reply {
    return notePage(visit, textOf(query, 'email'));
  }

  @Post('refuse')
  async refuse(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const email = textOf(form, 'email');
    try {
      await this.admin.refuse(operatorOf(visit), email, textOf(form, 'note'));
    } catch (error) {
      if (error instanceof MissingError) return decidedMeanwhile(error, visit);
      return notePage(visit, email, problemOf(error, visit));
    }
    return SeeOther.done(SIGN_UPS, visit.messages.signUps.refused(email));
  }
}

/** Another operator was first, or the second click of one came. @throws what is no refusal */
function decidedMeanwhile(error: unknown, { messages }: UserVisit): SeeOther {
  if (!(error instanceof DomainError)) throw error;
  return SeeOther.refused(SIGN_UPS, messages.language.refusal(error));
}

function notePage({ messages: { signUps } }: UserVisit, email: string, problem?: FormProblem): Page {
  const page = (
    <Confirmation
      title={signUps.refuseTitle}
      facts={[[signUps.email, email]]}
      action={`${SIGN_UPS}/refuse`}
      fields={{ email }}
      button={signUps.refuse}
      back={SIGN_UPS}
      problem={problem}
    >
      <Field name="note" label={signUps.note} hint={signUps.noteHint} required autocomplete="off" />
    </Confirmation>
  );
  return new Page(signUps.refuseTitle, page, problem ? 422 : 200);
}
