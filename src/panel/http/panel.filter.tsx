import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { TooManyPasswordsError } from '../../auth/passwords/hashing-queue';
import { MissingError, DomainError } from '../../common/errors/domain.error';
import { isDatabaseOutage } from '../../common/http/database-outage';
import { ErrorPage } from '../layout/error.page';
import { renderPage } from '../layout/render-page';
import { hasTyped } from '../layout/typed-values';
import { CATALOGUES } from '../messages/catalogues';
import { localeOf } from '../messages/locale';
import type { Form } from './form';
import { KeptAnswers } from './kept-answers';
import { isReading, outcomeShown, type PanelRequest, type Visit } from './visit';
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

interface Failed {
  readonly request: PanelRequest & { id?: string };
  readonly response: Response;
  readonly visit: Visit;
  /** What was sent. */
  readonly form: Form | undefined;
}

/** Errors of the panel are pages; the API's envelope is not for people. */
@Catch()
export class PanelFilter implements ExceptionFilter {
  private readonly logger = new Logger(PanelFilter.name);

  constructor(
    private readonly answers: KeptAnswers,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Failed['request']>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      this.logger.error({ requestId: request.id, err: error }, 'A page failed after its first byte had left');
      response.destroy();
      return;
    }
    const visit = request.visit ?? nobody(request, this.configuration.customers.siteName);
    const form = isReading(request) ? undefined : (request.body as Form | undefined);
    // A long text must not be lost with the session.
    if (error instanceof SignInRequiredError && !hasTyped(form, visit.messages)) {
      const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.originalUrl)}` : '';
      return response.redirect(303, `/panel/sign-in${next}`);
    }
    if (error instanceof SecondFactorRequiredError) return response.redirect(303, '/panel/account/second-factor');
    const failed = { request, response, visit, form };
    if (error instanceof PasswordAgainError) void this.askPassword(error, failed);
    else this.fail(error, failed);
  }

  private async askPassword({ problem }: PasswordAgainError, failed: Failed): Promise<void> {
    const { request, response, visit, form = {} } = failed;
    const content = <PasswordAgainPage form={form} problem={problem} />;
    const page = new Page(visit.messages.access.againTitle, content, problem ? 422 : 403);
    try {
      const keptAt = await this.answers.keep(request, page);
      if (keptAt === null) sendPage(response, visit, page);
      else response.redirect(303, keptAt);
    } catch (failure) {
      this.fail(failure, failed);
    }
  }

  private fail(error: unknown, { request, response, visit, form }: Failed): void {
    const { kind, retryAfterSeconds } = describe(error);
    if (kind === 'internal' || kind === 'unavailable') {
      this.logger.error({ requestId: request.id, err: error }, 'A page of the panel failed');
    }
    if (retryAfterSeconds) response.setHeader('Retry-After', String(retryAfterSeconds));
    outcomeShown(request);
    const message =
      kind === 'bad-form' && error instanceof DomainError ? visit.messages.language.refusal(error) : undefined;
    const page = <ErrorPage kind={kind} requestId={request.id ?? ''} message={message} form={form} />;
    sendPage(response, visit, new Page(visit.messages.error[kind].title, page, STATUS[kind]));
  }
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

function nobody(request: PanelRequest, siteName: string): Visit {
  const locale = localeOf(request);
  return {
    locale,
    messages: CATALOGUES[locale],
    user: null,
    csrfToken: '',
    url: request.originalUrl,
    answersForm: !isReading(request),
    wasPosted: !isReading(request),
    outcome: null,
    address: '',
    siteName,
    topUp: { deposits: false, text: undefined },
  };
}
