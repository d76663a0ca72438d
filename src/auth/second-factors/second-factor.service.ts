import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { Clock } from '../../common/clock';
import { DomainError } from '../../common/errors/domain.error';
import { SecretCipher } from '../../common/secret-cipher';
import type { SqlTransaction } from '../../database/sql';
import { MailOutbox } from '../../mail/mail-outbox';
import type { Identity } from '../../users/user-record';
import { revokeLinks } from '../../users/revoke-access';
import { UserRepository } from '../../users/user.repository';
import { SessionService } from '../sessions/session.service';
import { mintRecoveryCodes, recoveryCodeHash } from './recovery-codes';
import { SecondFactorRepository, type SecondFactorView } from './second-factor.repository';
import { plainCode, totpStep } from './totp';

export type { SecondFactorView } from './second-factor.repository';

type Owner = Pick<Identity, 'userId' | 'email'> & {
  /** The id of the session in which its user asks for it; not given when somebody else does. */
  readonly session?: string;
};

/** The session that asked has ended meanwhile: nothing was done. */
export class SessionEndedError extends Error {
  constructor() {
    super('the session has ended');
    this.name = 'SessionEndedError';
  }
}

export interface Enabled {
  /** Shown once. */
  readonly recoveryCodes: readonly string[];
  /** For the session that takes the place of those which ended. */
  readonly identity: Identity;
}

/** The second factor of a user: codes of an app, and recovery codes for who has lost it. Each change has its entry in the audit log. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly factors: SecondFactorRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionService,
    private readonly cipher: SecretCipher,
    private readonly clock: Clock,
    private readonly auditLog: AuditLog,
    private readonly outbox: MailOutbox,
  ) {}

  /** Null: the password is enough. */
  find(userId: string): Promise<SecondFactorView | null> {
    return this.factors.find(userId);
  }

  /** Each code is taken once, over all instances. Null when it is wrong, or was taken before. */
  async use(userId: string, typed: string): Promise<'code' | 'recovery-code' | null> {
    const code = plainCode(typed);
    if (!/^\d{6}$/.test(code)) {
      return (await this.factors.useRecoveryCode(userId, recoveryCodeHash(userId, typed))) ? 'recovery-code' : null;
    }
    const kept = await this.factors.findSecret(userId);
    if (kept === null) return null;
    const step = totpStep(this.cipher.open(sealedFor(userId), kept), code, this.clock.now());
    return step !== null && (await this.factors.useStep(userId, kept, step)) ? 'code' : null;
  }

  /**
   * With a code of the new secret, which counts as taken; an older secret ends with it. So do all sessions: a user who had one without the
   * factor needs the factor now. @throws DomainError second-factor.code-wrong. @throws SessionEndedError
   */
  enable(by: Operator, { userId, email, session }: Owner, secret: Buffer, code: string): Promise<Enabled> {
    const act = { action: 'second-factor.enable', subject: userSubject(email) };
    return this.auditLog.record(by, act, async (tx) => {
      const step = totpStep(secret, plainCode(code), this.clock.now());
      if (step === null) throw new DomainError('second-factor.code-wrong');
      await this.holdLive(session, userId, tx);
      const identity = await this.endSessions(userId, email, tx);
      const before = await this.factors.find(userId, tx);
      await this.factors.put(userId, this.cipher.seal(sealedFor(userId), secret), step, tx);
      const recoveryCodes = await this.mintCodes(userId, tx);
      const change = before === null ? 'enabled' : 'replaced';
      await this.outbox.tell(userId, 'second_factor_changed', { change }, tx);
      return { result: { recoveryCodes, identity }, after: { replaced: before !== null } };
    });
  }

  /** Those there were are worth nothing any more. */
  renewRecoveryCodes(by: Operator, { userId, email, session }: Owner): Promise<readonly string[]> {
    const act = { action: 'second-factor.recovery-codes', subject: userSubject(email) };
    return this.auditLog.record(by, act, async (tx) => {
      await this.users.holdEnabled(userId, tx);
      await this.holdLive(session, userId, tx);
      if (!(await this.factors.find(userId, tx))) throw new DomainError('second-factor.none', { email });
      await this.outbox.tell(userId, 'second_factor_changed', { change: 'codes' }, tx);
      return { result: await this.mintCodes(userId, tx) };
    });
  }

  /** Ends all sessions. By its user, or by an operator for a user who has lost it. */
  remove(by: Operator, { userId, email, session }: Owner): Promise<Identity> {
    const act = { action: 'second-factor.remove', subject: userSubject(email) };
    return this.auditLog.record(by, act, async (tx) => {
      await this.holdLive(session, userId, tx);
      const identity = await this.endSessions(userId, email, tx);
      if (!(await this.factors.remove(userId, tx))) throw new DomainError('second-factor.none', { email });
      await this.outbox.tell(userId, 'second_factor_changed', { change: 'removed' }, tx);
      return { result: identity };
    });
  }

  /** Else a request that was under way would begin a session again that its user has just ended everywhere. */
  private async holdLive(session: string | undefined, userId: string, tx: SqlTransaction): Promise<void> {
    if (session !== undefined && !(await this.sessions.holdLive(session, userId, tx))) throw new SessionEndedError();
  }

  /** Locks the user first, as everything does that changes how somebody signs in. */
  private async endSessions(userId: string, email: string, tx: SqlTransaction): Promise<Identity> {
    await this.sessions.endAllOf(userId, tx);
    // With the password alone, one to an address of its thief may be under way.
    await revokeLinks(tx, userId);
    const credentials = await this.users.findCredentialsById(userId, tx);
    if (!credentials) throw new DomainError('user.disabled', { email });
    return { userId, email, sessionEpoch: credentials.sessionEpoch };
  }

  private async mintCodes(userId: string, tx: SqlTransaction): Promise<string[]> {
    const codes = mintRecoveryCodes();
    const hashes = codes.map((code) => recoveryCodeHash(userId, code));
    await this.factors.replaceRecoveryCodes(userId, hashes, tx);
    return codes;
  }
}

/** A row that was copied to another user opens nothing. */
function sealedFor(userId: string): string {
  return `second factor of ${userId}`;
}
