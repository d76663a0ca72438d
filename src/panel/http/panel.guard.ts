import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { SecondFactorService } from '../../auth/second-factors/second-factor.service';
import { RequestOrigins } from '../../common/http/request-origins';
import { UserListRepository } from '../../users/user-list.repository';
import { timeZoneOf } from '../layout/time-zone';
import { CATALOGUES } from '../messages/catalogues';
import { localeOf } from '../messages/locale';
import { RecentPassword } from '../sign-in/recent-password';
import { ACT_LIMIT, ActLimits, type LimitedAct } from './act-limit';
import { CsrfTokens } from './csrf-tokens';
import type { Form } from './form';
import { isSentFromHere } from './form-origin';
import { isReading, type PanelRequest, type UserVisit } from './visit';
import { PanelError, SecondFactorRequiredError, SignInRequiredError } from './panel-errors';
import { SessionLimit } from './session-limit';
import {
  NEEDS_PASSWORD,
  type NeedsPassword,
  PANEL_ACCESS,
  type PanelAccess,
  WITHOUT_SECOND_FACTOR,
} from './password-again.decorator';

/** Runs first for every page: who asks, whether a form is one of ours, and whether the page is for them. */
@Injectable()
export class PanelGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly users: UserListRepository,
    private readonly csrf: CsrfTokens,
    private readonly factors: SecondFactorService,
    private readonly recentPassword: RecentPassword,
    private readonly actLimits: ActLimits,
    private readonly sessionLimit: SessionLimit,
    private readonly origins: RequestOrigins,
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
    if (userId !== undefined) await this.sessionLimit.take(request.sessionID);
    const found = userId === undefined ? null : await this.users.findEnabled(userId);
    const user = found && { ...found, timeZone: timeZoneOf(request, found), ownTimeZone: found.timeZone };
    if (user) this.origins.note(request, 'session');
    const locale = localeOf(request, user);
    request.visit = {
      locale,
      messages: CATALOGUES[locale],
      user,
      csrfToken: this.csrf.issue(request, response),
      url: request.originalUrl,
      answersForm: !isReading(request),
      wasPosted: !isReading(request),
      outcome: request.session.outcome ?? null,
      address: request.ip ?? '',
      siteName: this.configuration.customers.siteName,
      topUp: { deposits: this.configuration.deposits !== null, text: this.configuration.customers.topUpText },
    };
    const of = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<PanelAccess>(PANEL_ACCESS, of);
    const isSetUpPage = this.reflector.getAllAndOverride<boolean | undefined>(WITHOUT_SECOND_FACTOR, of);
    if (access !== 'anyone' && !user) throw new SignInRequiredError();
    // Others must not learn that an operator's page exists.
    if (access === 'operator' && !user?.operator) throw new PanelError('not-found');
    if (access !== 'anyone' && !isSetUpPage && (await this.lacksSecondFactor(user!))) {
      throw new SecondFactorRequiredError();
    }
    if (!isReading(request) && !this.csrf.holds(request)) throw new PanelError('expired-form');
    if (!isReading(request)) await this.allow(context, request, request.visit as UserVisit);
    return true;
  }

  /** What takes a password, and may be done so many times an hour. */
  private async allow(context: ExecutionContext, request: PanelRequest, visit: UserVisit) {
    const of = [context.getHandler(), context.getClass()];
    const needsPassword = this.reflector.getAllAndOverride<NeedsPassword | undefined>(NEEDS_PASSWORD, of);
    const form = (request.body ?? {}) as Form;
    if (needsPassword?.(form)) await this.recentPassword.require(request, visit, form);
    const limited = this.reflector.getAllAndOverride<LimitedAct | undefined>(ACT_LIMIT, of);
    if (limited) await this.actLimits.take(limited, visit.user.id);
  }

  private async lacksSecondFactor({ id, operator }: { readonly id: string; readonly operator: boolean }) {
    const isRequired = operator && this.configuration.access.operatorsNeedSecondFactor;
    return isRequired && (await this.factors.find(id)) === null;
  }
}
