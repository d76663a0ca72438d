import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { UserListRepository } from '../../users/user-list.repository';
import { localeOf } from '../messages/locale';
import { CsrfTokens } from './csrf-tokens';
import { isSentFromHere } from './form-origin';
import { isReading, type PanelRequest } from './page-context';
import { PANEL_ACCESS, type PanelAccess } from './panel-access';
import { PanelError, SignInRequiredError } from './panel-errors';

/** Runs first for every page: who asks, whether a form is one of ours, and whether the page is for them. */
@Injectable()
export class PanelGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly users: UserListRepository,
    private readonly csrf: CsrfTokens,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PanelRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    if (request.panelFailure !== undefined) throw request.panelFailure;

    // The router takes `/PANEL` for `/panel`, the middleware does not: without a session there is nothing to show.
    if (!(request.session as PanelRequest['session'] | undefined)) throw new PanelError('not-found');
    if (!isReading(request) && !isSentFromHere(request, this.configuration.http.publicUrl)) {
      throw new PanelError('foreign-form');
    }
    const { userId } = request.session;
    const user = userId === undefined ? null : await this.users.findEnabled(userId);
    request.pageContext = {
      locale: localeOf(request, user),
      user,
      csrfToken: this.csrf.issue(request, response),
      url: request.originalUrl,
      answersForm: !isReading(request),
      notice: request.session.notice ?? null,
      address: request.ip ?? '',
    };
    const access = this.reflector.getAllAndOverride<PanelAccess>(PANEL_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access !== 'anyone' && !user) throw new SignInRequiredError();
    // Others must not learn that an operator's page exists.
    if (access === 'operator' && !user?.operator) throw new PanelError('not-found');
    if (!isReading(request) && !this.csrf.holds(request)) throw new PanelError('expired-form');
    return true;
  }
}
