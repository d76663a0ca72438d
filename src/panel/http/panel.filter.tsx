import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { TooManyPasswordsError } from '../../auth/passwords/hashing-queue';
import { MissingError, DomainError } from '../../common/errors/domain.error';
import { isDatabaseOutage } from '../../common/http/database-outage';
import { ErrorPage } from '../layout/error.page';
import type { FormProblem } from '../layout/form-problem';
import { renderPage } from '../layout/render-page';
import { hasTyped } from '../layout/typed-values';
import { CATALOGUES } from '../messages/catalogues';
import { localeOf } from '../messages/locale';
import type { Form } from './form';
import { KeptAnswers } from './kept-answers';
import { isReading, noticeShown, type PanelRequest, type Visit } from './visit';
import { PanelError, PasswordAgainError, SecondFactorRequiredError, SignInRequiredError } from './panel-errors';
import { PasswordAgainPage } from './password-again.page';
import { Page } from './reply';

const STATUS: Readonly<Record<PanelError['kind'], number>> = {
  'not-found': 404,
  'signed-out': 403,
  'expired-form': 403,
  'foreign-form': 403,
  'bad-form': 400,
  throttled: 429,
  busy: 503,
  exporting: 429,
  flood: 429,
  unavailable: 503,
  internal: 500,
};

type IdentifiedRequest = PanelRequest & { id?: string };

/** Errors of the panel are pages; the API's envelope is not for people. */
@Catch()
export class PanelFilter implements ExceptionFilter {
  private readonly logger = new Logger(PanelFilter.name);

  constructor(private readonly answers: KeptAnswers) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<IdentifiedRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      this.logger.error({ requestId: request.id, err: error }, 'A page failed after its first byte had left');
      response.destroy();
      return;
    }
    const visit = request.visit ?? nobody(request);
    const form = isReading(request) ? undefined : (request.body as Form | undefined);
    // A long text must not be lost with the session.
    if (error instanceof SignInRequiredError && !hasTyped(form, visit.messages)) {
      const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.originalUrl)}` : '';
      response.redirect(303, `/panel/sign-in${next}`);
      return;
    }
    if (error instanceof SecondFactorRequiredError) {
      response.redirect(303, '/panel/account/second-factor');
      return;
    }
    if (error instanceof PasswordAgainError) {
      void this.askPassword(error, request, response, visit, form);
      return;
    }
    this.fail(error, request, response, visit, form);
  }

  private async askPassword(
    { problem }: PasswordAgainError,
    request: IdentifiedRequest,
    response: Response,
    visit: Visit,
    form: Form | undefined,
  ): Promise<void> {
    const page = passwordAgain(visit, form ?? {}, problem);
    try {
      const keptAt = await this.answers.keep(request, page);
      if (keptAt === null) sendPage(response, visit, page);
      else response.redirect(303, keptAt);
    } catch (failure) {
      this.fail(failure, request, response, visit, form);
    }
  }

  private fail(
    error: unknown,
    request: IdentifiedRequest,
    response: Response,
    visit: Visit,
    form: Form | undefined,
  ): void {
    const { kind, retryAfterSeconds } = describe(error);
    if (kind === 'internal' || kind === 'unavailable') {
      this.logger.error({ requestId: request.id, err: error }, 'A page of the panel failed');
    }
    if (retryAfterSeconds) response.setHeader('Retry-After', String(retryAfterSeconds));
    noticeShown(request);
    const message =
      kind === 'bad-form' && error instanceof DomainError ? visit.messages.language.refusal(error) : undefined;
    const page = <ErrorPage kind={kind} requestId={request.id ?? ''} message={message} form={form} />;
    sendPage(response, visit, new Page(visit.messages.error[kind].title, page, STATUS[kind]));
  }
}

function passwordAgain(visit: Visit, form: Form, problem?: FormProblem): Page {
  const page = <PasswordAgainPage form={form} problem={problem} />;
  return new Page(visit.messages.access.againTitle, page, problem ? 422 : 403);
}

function sendPage(response: Response, visit: Visit, page: Page): void {
  response.status(page.status).type('html').send(renderPage(visit, page));
}

interface Description {
  readonly kind: PanelError['kind'];
  readonly retryAfterSeconds?: number;
}

function describe(error: unknown): Description {
  if (error instanceof PanelError) return { kind: error.kind, retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof SignInRequiredError) return { kind: 'signed-out' };
  if (error instanceof TooManyPasswordsError) return { kind: 'busy', retryAfterSeconds: 5 };
  if (error instanceof MissingError) return { kind: 'not-found' };
  if (error instanceof DomainError) return { kind: 'bad-form' };
  if (isDatabaseOutage(error)) return { kind: 'unavailable' };
  const status = error instanceof HttpException ? error.getStatus() : (error as { status?: unknown }).status;
  if (status === 404) return { kind: 'not-found' };
  return { kind: typeof status === 'number' && status >= 400 && status < 500 ? 'bad-form' : 'internal' };
}

function nobody(request: PanelRequest): Visit {
  const locale = localeOf(request);
  return {
    locale,
    messages: CATALOGUES[locale],
    user: null,
    csrfToken: '',
    url: request.originalUrl,
    answersForm: !isReading(request),
    wasPosted: !isReading(request),
    notice: null,
    address: '',
  };
}
