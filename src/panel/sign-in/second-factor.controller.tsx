import { Body, Get, Inject, Post, Req } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { PanelAddress } from '../../common/http/panel-address';
import { SecondFactorService, SessionEndedError } from '../../auth/second-factors/second-factor.service';
import { mintTotpSecret } from '../../auth/second-factors/totp';
import { DomainError } from '../../common/errors/domain.error';
import type { Identity } from '../../users/user-record';
import { LimitActs } from '../http/act-limit';
import { type Form, problemOf, textOf } from '../http/form';
import { operatorOf, type PanelRequest, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain, WithoutSecondFactor } from '../http/panel-controller.decorator';
import { PanelError, SignInRequiredError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { openInSession, sealInSession } from '../http/session-seal';
import type { FormProblem } from '../layout/form-problem';
import { PanelSessions } from './panel-sessions';
import { RecoveryCodesPage, ScanPage, SECOND_FACTOR, SecondFactorPage } from './second-factor.pages';

declare module 'express-session' {
  interface SessionData {
    /** The secret of a second factor that is being set up, sealed. */
    newFactor: string;
    /** Recovery codes on their way to the page that shows them once, sealed. */
    recoveryCodes: string;
  }
}

const PURPOSE = 'second factor';
const CODES = 'recovery codes';

/** A user's own second factor. Nothing is in force before a code of it was given. */
@LimitActs('second-factor')
@WithoutSecondFactor()
@PanelController('account/second-factor', 'user')
export class SecondFactorController {
  constructor(
    private readonly factors: SecondFactorService,
    private readonly panelSessions: PanelSessions,
    private readonly address: PanelAddress,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit): Promise<Reply> {
    const factor = await this.factors.find(visit.user.id);
    const required = this.isRequired(visit);
    const page = <SecondFactorPage factor={factor} required={required} />;
    return new Page(visit.messages.access.factorTitle, page);
  }

  @Post('begin')
  @PasswordAgain()
  begin(@Req() { session, sessionID }: PanelRequest): Reply {
    session.newFactor = sealInSession(sessionID, PURPOSE, mintTotpSecret().toString('base64'));
    return new SeeOther(`${SECOND_FACTOR}/enable`);
  }

  @Get('enable')
  scan(@ThisVisit() visit: UserVisit, @Req() request: PanelRequest): Reply {
    const secret = newSecretOf(request);
    return secret ? this.scanPage(visit, secret) : new SeeOther(SECOND_FACTOR);
  }

  @Post('enable')
  @PasswordAgain()
  async enable(@ThisVisit() visit: UserVisit, @Req() request: PanelRequest, @Body() form: Form): Promise<Reply> {
    const secret = newSecretOf(request);
    if (!secret) return SeeOther.refused(SECOND_FACTOR, visit.messages.access.startOver);
    const owner = ownerOf(visit, request);
    const passwordAt = await this.panelSessions.passwordAt(request);
    try {
      const enabled = await this.factors.enable(operatorOf(visit), owner, secret, textOf(form, 'code'));
      // The session that gave the code; the id of before is worth nothing.
      await this.startAgain(request, enabled.identity, passwordAt);
      return leaveCodes(request, enabled.recoveryCodes);
    } catch (error) {
      if (error instanceof SessionEndedError) throw new SignInRequiredError();
      if (!(error instanceof DomainError)) throw error;
      return this.scanPage(visit, secret, problemOf(error, visit));
    }
  }

  @Post('recovery-codes')
  @PasswordAgain()
  async renewCodes(@ThisVisit() visit: UserVisit, @Req() request: PanelRequest): Promise<Reply> {
    try {
      const codes = await this.factors.renewRecoveryCodes(operatorOf(visit), ownerOf(visit, request));
      return leaveCodes(request, codes);
    } catch (error) {
      return refused(visit, error);
    }
  }

  @Get('recovery-codes')
  showCodes(@ThisVisit() visit: UserVisit, @Req() request: PanelRequest): Reply {
    const codes = takeCodes(request);
    if (!codes) return new SeeOther(SECOND_FACTOR);
    // They show once, so switching the language must not reload the page.
    request.visit = { ...visit, answersForm: true };
    return new Page(visit.messages.access.codesTitle, <RecoveryCodesPage codes={codes} />);
  }

  @Post('remove')
  @PasswordAgain()
  async remove(@ThisVisit() visit: UserVisit, @Req() request: PanelRequest): Promise<Reply> {
    // There is no button for it then.
    if (this.isRequired(visit)) throw new PanelError('bad-form');
    const passwordAt = await this.panelSessions.passwordAt(request);
    try {
      const identity = await this.factors.remove(operatorOf(visit), ownerOf(visit, request));
      await this.startAgain(request, identity, passwordAt);
    } catch (error) {
      return refused(visit, error);
    }
    return SeeOther.done(SECOND_FACTOR, visit.messages.access.isOff);
  }

  /** The password's ten minutes go on: no act that needs it makes them longer. */
  private async startAgain(request: PanelRequest, identity: Identity, passwordAt: Date): Promise<void> {
    if (!(await this.panelSessions.start(request, identity, true, passwordAt))) throw new SignInRequiredError();
  }

  private scanPage(visit: UserVisit, secret: Buffer, problem?: FormProblem): Page {
    // A colon would end the issuer within the label.
    const issuer = `${visit.siteName} ${new URL(this.address.baseUrl()).hostname}`.replaceAll(':', ' ');
    const page = <ScanPage {...{ secret, issuer, problem }} />;
    return new Page(visit.messages.access.scanTitle, page, problem ? 422 : 200);
  }

  private isRequired({ user }: UserVisit): boolean {
    return user.operator && this.configuration.access.operatorsNeedSecondFactor;
  }
}

/** It was removed meanwhile. @throws what is no refusal */
function refused(visit: UserVisit, error: unknown): Reply {
  if (error instanceof SessionEndedError) throw new SignInRequiredError();
  return SeeOther.refused(SECOND_FACTOR, problemOf(error, visit).text);
}

function ownerOf({ user }: UserVisit, { sessionID: session }: PanelRequest) {
  return { userId: user.id, email: user.email, session };
}

/** To a page of their own: a reload of the answer to the form would make others. */
function leaveCodes({ session, sessionID }: PanelRequest, codes: readonly string[]): Reply {
  session.recoveryCodes = sealInSession(sessionID, CODES, codes);
  return new SeeOther(`${SECOND_FACTOR}/recovery-codes`);
}

/** Once; a HEAD request has shown nothing to anybody. */
function takeCodes({ session, sessionID, method }: PanelRequest): readonly string[] | null {
  const sealed = session.recoveryCodes;
  if (sealed === undefined || method === 'HEAD') return null;
  delete session.recoveryCodes;
  return openInSession(sessionID, CODES, sealed) as readonly string[] | null;
}

/** Null for a session in which none is being set up. */
function newSecretOf({ session, sessionID }: PanelRequest): Buffer | null {
  const sealed = session.newFactor;
  const text = sealed === undefined ? null : (openInSession(sessionID, PURPOSE, sealed) as string | null);
  return text === null ? null : Buffer.from(text, 'base64');
}
