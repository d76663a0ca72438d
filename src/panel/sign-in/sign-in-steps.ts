import { Injectable } from '@nestjs/common';
import type { PendingSignIn } from '../../auth/pending-sign-ins/pending-sign-in.repository';
import { SecondFactorService } from '../../auth/second-factors/second-factor.service';
import { SignInLog } from '../../auth/sign-in-log';
import type { PanelRequest } from '../http/visit';
import { PanelSessions } from './panel-sessions';
import { PendingSignIns } from './pending-sign-in';
import { SignInThrottle } from './sign-in.throttle';

/** Password or link first, then the code of whoever has a second factor; the session begins behind the last one. */
@Injectable()
export class SignInSteps {
  constructor(
    private readonly factors: SecondFactorService,
    private readonly sessions: PanelSessions,
    private readonly pending: PendingSignIns,
    private readonly throttle: SignInThrottle,
    private readonly log: SignInLog,
  ) {}

  /** Behind the first step. Null when all sessions of the user were ended since. */
  async begin(request: PanelRequest, identity: PendingSignIn): Promise<'signed-in' | 'code' | null> {
    if (await this.factors.find(identity.userId)) {
      return (await this.pending.leave(request, identity)) ? 'code' : null;
    }
    return (await this.finish(request, identity, identity.by, false)) ? 'signed-in' : null;
  }

  /** Whose code is asked for in this browser; null when nobody's is. */
  find(request: PanelRequest): Promise<PendingSignIn | null> {
    return this.pending.find(request);
  }

  /** Behind the second step. @throws PanelError throttled */
  async giveCode(request: PanelRequest, identity: PendingSignIn, typed: string): Promise<'signed-in' | 'wrong' | null> {
    const used = await this.throttle.code(request, identity.email, () => this.factors.use(identity.userId, typed));
    if (!used) {
      this.log.failed(identity.email, request.ip ?? '', 'code');
      return 'wrong';
    }
    if (!(await this.pending.use(request))) return null;
    return (await this.finish(request, identity, used, true)) ? 'signed-in' : null;
  }

  private async finish(
    request: PanelRequest,
    identity: PendingSignIn,
    by: Parameters<SignInLog['succeeded']>[2],
    secondFactor: boolean,
  ): Promise<boolean> {
    if (!(await this.sessions.start(request, identity, secondFactor))) return false;
    await this.log.succeeded(identity, request.ip ?? '', by);
    return true;
  }
}
