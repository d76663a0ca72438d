import { Body, Get, Inject, Post, Query, Req } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { newSecret } from '../../auth/link-secret';
import { checkSignUp, SignUpService } from '../../auth/sign-ups/sign-up.service';
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
import { SignInThrottle } from '../sign-in/sign-in.throttle';
import { FormLimit } from './form-limit';
import { forgetSignUp, rememberSignUp, signUpSecretOf } from './sign-up-browser';
import { ConfirmSignUpPage, SaidPage, SignUpPage } from './sign-up.pages';

const PATH = '/panel/sign-up';

/** How a stranger becomes a customer. Each address is answered in the same way, whether it is known or not. */
@PanelController('sign-up', 'anyone')
export class SignUpController {
  constructor(
    private readonly signUps: SignUpService,
    private readonly forms: FormLimit,
    private readonly throttle: SignInThrottle,
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
    const isCounted = await this.forms.take(request);
    const language = textOf(form, 'language');
    try {
      const asked = checkSignUp({ email: textOf(form, 'email'), name: textOf(form, 'name') });
      const network = networkOf(clientAddress(request));
      const origin = { language: isLanguage(language) ? language : visit.locale, network };
      const problem = problemOfNewPassword(form, visit);
      if (problem) return this.page(visit, form, problem);
      const secrets = { password: rawTextOf(form, 'password'), browser: newSecret() };
      const ask = () => this.signUps.ask({ ...asked, ...origin, ...secrets }).then(() => true);
      if (isCounted) await this.throttle.signUp(request, ask);
      rememberSignUp(request, secrets.browser);
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
  async showLink(@ThisVisit() visit: Visit, @Req() request: PanelRequest, @Query() query: Form): Promise<Reply> {
    this.requireOpen();
    const found = await this.signUps.find(textOf(query, 'key'), signUpSecretOf(request));
    return found ? confirmPage(visit, found.email, asksPassword(found, query)) : invalid(visit);
  }

  @Post('confirm')
  async confirm(
    @ThisVisit() visit: Visit,
    @Req() request: PanelRequest,
    @Query() query: Form,
    @Body() form: Form,
  ): Promise<Reply> {
    this.requireOpen();
    const key = textOf(query, 'key');
    const browser = signUpSecretOf(request);
    const found = await this.signUps.find(key, browser);
    if (!found) return invalid(visit);
    const asks = asksPassword(found, query);
    const again = (problem: FormProblem) => confirmPage(visit, found.email, asks, problem);
    const problem = asks ? problemOfNewPassword(form, visit) : null;
    if (problem) return again(problem);
    try {
      const confirmation = asks ? { password: rawTextOf(form, 'password') } : { browser };
      const confirm = () => this.signUps.confirm(key, confirmation, visit.address);
      const outcome = await this.throttle.link(request, key, confirm);
      forgetSignUp(request);
      return new SeeOther(`${PATH}/${outcome}`);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'invitation.not-valid') return invalid(visit);
      return again(problemOf(error, visit));
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

/** Another browser may be another person's, and so may this one: its user has typed a password, or asks to choose one. */
function asksPassword({ isOfBrowser }: { readonly isOfBrowser: boolean }, query: Form): boolean {
  return !isOfBrowser || textOf(query, 'choose') !== '';
}

function confirmPage(visit: Visit, email: string, asks: boolean, problem?: FormProblem): Page {
  const page = <ConfirmSignUpPage email={email} asksPassword={asks} problem={problem} />;
  return new Page(visit.messages.signUp.confirmTitle, page, problem ? 422 : 200);
}

function invalid({ messages }: Visit): Page {
  const { invalidTitle, invalid: text, again } = messages.signUp;
  const page = <SaidPage title={invalidTitle} texts={[text]} link={{ href: PATH, text: again }} />;
  return new Page(invalidTitle, page, 404);
}
