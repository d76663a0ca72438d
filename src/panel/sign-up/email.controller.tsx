import { Body, Get, Post, Query, Req } from '@nestjs/common';
import { EmailChangeService } from '../../auth/email-changes/email-change.service';
import { clientAddress, networkOf } from '../../common/http/client-ip';
import { DomainError } from '../../common/errors/domain.error';
import { MailOutbox } from '../../mail/mail-outbox';
import { normaliseEmail } from '../../users/user.validation';
import { type Form, textOf } from '../http/form';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { type PanelRequest, ThisVisit, type UserVisit, type Visit } from '../http/visit';
import { ConfirmPage, SaidPage } from './sign-up.pages';

const ACCOUNT = '/panel/account';

/** A user asks for another address. An open browser alone is not enough: the address is the way to a new password. */
@PanelController('account/email', 'user')
export class AccountEmailController {
  constructor(
    private readonly changes: EmailChangeService,
    private readonly outbox: MailOutbox,
  ) {}

  @Post()
  @PasswordAgain()
  async ask(@ThisVisit() visit: UserVisit, @Req() request: PanelRequest, @Body() form: Form): Promise<Reply> {
    if (!this.outbox.isOpen) throw new PanelError('not-found');
    const { user, locale, messages } = visit;
    const email = textOf(form, 'email');
    if (normaliseEmail(email) === user.email) return SeeOther.refused(ACCOUNT, messages.signUp.newEmailSame);
    return submitAndRedirect(visit, ACCOUNT, async () => {
      const network = networkOf(clientAddress(request));
      await this.changes.ask({ userId: user.id, email, language: user.language ?? locale, network });
      return messages.signUp.newEmailSent;
    });
  }
}

/** Where the link leads: perhaps in another browser, without a session. */
@PanelController('email', 'anyone')
export class EmailController {
  constructor(private readonly changes: EmailChangeService) {}

  /** Changes nothing: mail programs open every link. */
  @Get()
  async show(@ThisVisit() visit: Visit, @Query() query: Form): Promise<Reply> {
    const found = await this.changes.find(textOf(query, 'key'));
    if (!found) return invalid(visit);
    return new Page(visit.messages.signUp.confirmTitle, <ConfirmPage email={found.email} />);
  }

  @Post()
  async confirm(@ThisVisit() visit: Visit, @Query() query: Form): Promise<Reply> {
    try {
      await this.changes.confirm(textOf(query, 'key'), visit.address);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return invalid(visit);
    }
    return new SeeOther('/panel/email/changed');
  }

  @Get('changed')
  showChanged(@ThisVisit() { messages }: Visit): Reply {
    const { changedTitle, changed } = messages.signUp;
    const link = { href: '/panel', text: messages.signIn.submit };
    return new Page(changedTitle, <SaidPage title={changedTitle} texts={[changed]} link={link} />);
  }
}

function invalid({ messages, siteName }: Visit): Page {
  const { invalidTitle, invalid: text } = messages.signUp;
  const page = <SaidPage title={invalidTitle} texts={[text]} link={{ href: '/panel', text: siteName }} />;
  return new Page(invalidTitle, page, 404);
}
