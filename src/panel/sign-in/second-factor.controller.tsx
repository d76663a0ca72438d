import { Body, Get, Inject, Post, Req } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { PanelAddress } from '../../auth/invitations/panel-address';
import { SecondFactorService, SessionEndedError } from '../../auth/second-factors/second-factor.service';
import { mintTotpSecret } from '../../auth/second-factors/totp';
import { DomainError } from '../../common/errors/domain.error';
import type { Identity } from '../../users/user-record';
import { LimitActs } from '../http/act-limit';
import { type Form, textOf } from '../http/form';
import { problemOf } from '../http/form-refusal';
import { operatorOf } from '../http/operator';
import { CurrentPageContext, type PanelRequest, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError, SignInRequiredError } from '../http/panel-errors';
import { PasswordAgain, WithoutSecondFactor } from '../http/password-again.decorator';
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
  async show(@CurrentPageContext() pageContext: SignedInPageContext): Promise<Reply> {
    const factor = await this.factors.find(pageContext.user.id);
    const required = this.isRequired(pageContext);
    const page = <SecondFactorPage factor={factor} required={required} />;
    return new Page(pageContext.messages.access.factorTitle, page);
  }

  @Post('begin')
  @PasswordAgain()
  begin(@Req() { session, sessionID }: PanelRequest): Reply {
    session.newFactor = sealInSession(sessionID, PURPOSE, mintTotpSecret().toString('base64'));
    return new SeeOther(`${SECOND_FACTOR}/enable`);
  }

  @Get('enable')
  scan(@CurrentPageContext() pageContext: SignedInPageContext, @Req() request: PanelRequest): Reply {
    const secret = newSecretOf(request);
    return secret ? this.scanPage(pageContext, secret) : new SeeOther(SECOND_FACTOR);
  }

  @Post('enable')
  @PasswordAgain()
  async enable(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @Req() request: PanelRequest,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = pageContext.messages.access;
    const secret = newSecretOf(request);
    if (!secret) return new SeeOther(SECOND_FACTOR, { kind: 'refused', text: messages.startOver });
    const owner = ownerOf(pageContext, request);
    const passwordAt = await this.panelSessions.passwordAt(request);
    try {
      const enabled = await this.factors.enable(operatorOf(pageContext), owner, secret, textOf(form, 'code'));
      // The session that gave the code; the id of before is worth nothing.
      await this.startAgain(request, enabled.identity, passwordAt);
      return leaveCodes(request, enabled.recoveryCodes);
    } catch (error) {
      if (error instanceof SessionEndedError) throw new SignInRequiredError();
      if (!(error instanceof DomainError)) throw error;
      return this.scanPage(pageContext, secret, problemOf(error, pageContext));
    }
  }

  @Post('recovery-codes')
  @PasswordAgain()
  async renewCodes(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @Req() request: PanelRequest,
  ): Promise<Reply> {
    try {
      const codes = await this.factors.renewRecoveryCodes(operatorOf(pageContext), ownerOf(pageContext, request));
      return leaveCodes(request, codes);
    } catch (error) {
      return refused(pageContext, error);
    }
  }

  @Get('recovery-codes')
  showCodes(@CurrentPageContext() pageContext: SignedInPageContext, @Req() request: PanelRequest): Reply {
    const codes = takeCodes(request);
    if (!codes) return new SeeOther(SECOND_FACTOR);
    // They show once, so switching the language must not reload the page.
    request.pageContext = { ...pageContext, answersForm: true };
    return new Page(pageContext.messages.access.codesTitle, <RecoveryCodesPage codes={codes} />);
  }

  @Post('remove')
  @PasswordAgain()
  async remove(@CurrentPageContext() pageContext: SignedInPageContext, @Req() request: PanelRequest): Promise<Reply> {
    // There is no button for it then.
    if (this.isRequired(pageContext)) throw new PanelError('bad-form');
    const passwordAt = await this.panelSessions.passwordAt(request);
    try {
      const identity = await this.factors.remove(operatorOf(pageContext), ownerOf(pageContext, request));
      await this.startAgain(request, identity, passwordAt);
    } catch (error) {
      return refused(pageContext, error);
    }
    return new SeeOther(SECOND_FACTOR, { kind: 'done', text: pageContext.messages.access.isOff });
  }

  /** The password's ten minutes go on: no act that needs it makes them longer. */
  private async startAgain(request: PanelRequest, identity: Identity, passwordAt: Date): Promise<void> {
    if (!(await this.panelSessions.start(request, identity, true, passwordAt))) throw new SignInRequiredError();
  }

  private scanPage(pageContext: SignedInPageContext, secret: Buffer, problem?: FormProblem): Page {
    const issuer = `Energy panel ${new URL(this.address.baseUrl()).hostname}`;
    const page = <ScanPage {...{ secret, issuer, problem }} />;
    return new Page(pageContext.messages.access.scanTitle, page, problem ? 422 : 200);
  }

  private isRequired({ user }: SignedInPageContext): boolean {
    return user.operator && this.configuration.access.operatorsNeedSecondFactor;
  }
}

/** It was removed meanwhile. @throws what is no refusal */
function refused(pageContext: SignedInPageContext, error: unknown): Reply {
  if (error instanceof SessionEndedError) throw new SignInRequiredError();
  return new SeeOther(SECOND_FACTOR, { kind: 'refused', text: problemOf(error, pageContext).text });
}

function ownerOf({ user }: SignedInPageContext, { sessionID: session }: PanelRequest) {
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
