import { Body, Get, Inject, Post, Query, Req } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { SignUpService } from '../../auth/sign-ups/sign-up.service';
import { clientAddress, networkOf } from '../../common/http/client-ip';
import { DomainError } from '../../common/errors/domain.error';
import { isLanguage } from '../../languages/languages';
import { type Form, problemOf, rawTextOf, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { type PanelRequest, ThisVisit, type Visit } from '../http/visit';
import type { FormProblem } from '../layout/components';
import { problemOfNewPassword } from '../sign-in/password-fields';
import { ConfirmPage, SaidPage, SignUpPage } from './sign-up.pages';

const PATH = '/panel/sign-up';

/** How a stranger becomes a customer. Each address is answered in the same way, whether it is known or not. */
@PanelController('sign-up', 'anyone')
export class SignUpController {
  constructor(
    private readonly signUps: SignUpService,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get()
  show(@ThisVisit() visit: Visit): Reply {
    this.requireOpen();
    return visit.user ? new SeeOther('/panel') : this.page(visit);
  }

  @Post()
  async signUp(@ThisVisit() visit: Visit, @Req() request: PanelRequest, @Body() form: Form): Promise<Reply> {
    this.requireOpen();
    const problem = problemOfNewPassword(form, visit);
    if (problem) return this.page(visit, form, problem);
    const language = textOf(form, 'language');
    try {
      await this.signUps.ask({
        email: textOf(form, 'email'),
        name: textOf(form, 'name'),
        password: rawTextOf(form, 'password'),
        language: isLanguage(language) ? language : visit.locale,
        network: networkOf(clientAddress(request)),
      });
    } catch (error) {
      return this.page(visit, form, problemOf(error, visit));
    }
    return new SeeOther(`${PATH}/sent`);
  }

  @Get('sent')
  showSent(@ThisVisit() { messages }: Visit): Reply {
    this.requireOpen();
    const { sentTitle, sent, notArrived } = messages.signUp;
    return new Page(sentTitle, <SaidPage title={sentTitle} texts={[sent, notArrived]} />);
  }

  /** Changes nothing: mail programs open every link. */
  @Get('confirm')
  async showLink(@ThisVisit() visit: Visit, @Query() query: Form): Promise<Reply> {
    this.requireOpen();
    const found = await this.signUps.find(textOf(query, 'key'));
    if (!found) return invalid(visit);
    return new Page(visit.messages.signUp.confirmTitle, <ConfirmPage email={found.email} />);
  }

  /** Without a session: the stranger who chose the password may be another person than the reader of the mail. */
  @Post('confirm')
  async confirm(@ThisVisit() visit: Visit, @Query() query: Form): Promise<Reply> {
    this.requireOpen();
    try {
      return new SeeOther(`${PATH}/${await this.signUps.confirm(textOf(query, 'key'), visit.address)}`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return invalid(visit);
    }
  }

  @Get('ready')
  showReady(@ThisVisit() { messages }: Visit): Reply {
    this.requireOpen();
    const { readyTitle, ready } = messages.signUp;
    const link = { href: '/panel/sign-in', text: messages.signIn.submit };
    return new Page(readyTitle, <SaidPage title={readyTitle} texts={[ready]} link={link} />);
  }

  @Get('waiting')
  showWaiting(@ThisVisit() { messages }: Visit): Reply {
    this.requireOpen();
    const { waitingTitle, waiting } = messages.signUp;
    return new Page(waitingTitle, <SaidPage title={waitingTitle} texts={[waiting]} />);
  }

  private page({ messages }: Visit, form?: Form, problem?: FormProblem): Page {
    const { siteName, signUp } = this.configuration.customers;
    const page = <SignUpPage siteName={siteName} approval={signUp === 'approval'} form={form} problem={problem} />;
    return new Page(messages.signUp.title(siteName), page, problem ? 422 : 200);
  }

  /** @throws PanelError as any page that is not there */
  private requireOpen(): void {
    if (!this.signUps.isOpen) throw new PanelError('not-found');
  }
}

function invalid({ messages }: Visit): Page {
  const { invalidTitle, invalid: text, again } = messages.signUp;
  const page = <SaidPage title={invalidTitle} texts={[text]} link={{ href: PATH, text: again }} />;
  return new Page(invalidTitle, page, 404);
}
