import { Injectable } from '@nestjs/common';
import { AuditLog, type Facts, type Operator } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { DomainError } from '../../common/errors/domain.error';
import { characterCount } from '../../common/text';
import { Sql, type SqlTransaction } from '../../database/sql';
import { MailOutbox } from '../../mail/mail-outbox';
import { revokeAccess } from '../../users/revoke-access';
import type { Credentials, Identity } from '../../users/user-record';
import { UserRepository } from '../../users/user.repository';
import { normaliseEmail } from '../../users/user.validation';
import { SessionService } from '../sessions/session.service';
import { ApiTokenRepository } from '../tokens/api-token.repository';
import { isCommonPassword } from './common-password';
import { type HashedFor, HashingQueue } from './hashing-queue';
import { decoyHash, hashPassword, verifyPassword } from './password-hash';

export const SHORTEST_PASSWORD = 12;
/** Enough for any passphrase; argon2 would have more work with longer ones. */
export const LONGEST_PASSWORD = 200;

/** What a new password does besides ending every session and link of its user. */
export interface WithPassword {
  /** A thief of the user's token goes on with it, unless it ends too. */
  readonly revokesTokens?: boolean;
}

@Injectable()
export class PasswordService {
  private readonly decoy = decoyHash();

  constructor(
    private readonly sql: Sql,
    private readonly users: UserRepository,
    private readonly queue: HashingQueue,
    private readonly auditLog: AuditLog,
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenRepository,
    private readonly outbox: MailOutbox,
  ) {}

  /**
   * Null for a wrong password, an unknown address and a disabled user, each after the same work.
   * @throws TooManyPasswordsError when so many wait that this one is not looked at
   */
  async findUser(email: string, password: string, whom: HashedFor = 'stranger'): Promise<Identity | null> {
    const typed = normaliseEmail(email);
    return this.identify(await this.users.findCredentials(typed), password, whom, typed);
  }

  /** Checks the password of a user who is signed in. Null when it is wrong. @throws TooManyPasswordsError */
  async verify(userId: string, password: string): Promise<Identity | null> {
    return this.identify(await this.users.findCredentialsById(userId), password, 'known', userId);
  }

  /**
   * `owner`: the user or the link that it is for. `words`: what stands for the user, of which a password is not made.
   * @throws DomainError when it is too short, too long or among the first that are guessed. @throws TooManyPasswordsError
   */
  async hash(password: string, owner: string, words: readonly string[], whom: HashedFor = 'known'): Promise<string> {
    const length = characterCount(password);
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
      throw new DomainError('password.length', { shortest: SHORTEST_PASSWORD, longest: LONGEST_PASSWORD });
    }
    return this.queue.run(whom, owner, async () => {
      if (await isCommonPassword(password, words)) throw new DomainError('password.common');
      return hashPassword(password);
    });
  }

  /**
   * By its user, who gave the old one in this session. Ends every session and link of the user. Null, and nothing done, when the session
   * has ended meanwhile, or the user's epoch is another one by now. @throws DomainError as `hash`
   */
  async change(
    by: Operator,
    { userId, email, sessionEpoch }: Identity,
    password: string,
    session: string,
    also: WithPassword = {},
  ): Promise<Identity | null> {
    const user = await this.users.find({ id: userId });
    const hash = await this.hash(password, userId, [email, user?.name ?? '']);
    return this.sql.transaction(async (tx) => {
      if (!(await this.sessions.holdLive(session, userId, tx))) return null;
      const stored = await this.store(tx, userId, hash, also, sessionEpoch);
      if (!stored) return null;
      const { identity, after } = stored;
      const entry = { action: 'password.change', subject: userSubject(email), outcome: 'done', after } as const;
      await this.auditLog.append(by, entry, tx);
      return identity;
    });
  }

  /**
   * Ends every session and link of the user. Null, and nothing done, for a disabled user, or when the given epoch has passed.
   * `after`: what the audit log says of its tokens.
   */
  async store(
    tx: SqlTransaction,
    userId: string,
    hash: string,
    { revokesTokens = false }: WithPassword = {},
    sessionEpoch?: number,
  ): Promise<{ readonly identity: Identity; readonly after: Facts | undefined } | null> {
    const changed = await this.users.setPassword(userId, hash, sessionEpoch ?? null, tx);
    if (!changed) return null;
    const { hadPassword, ...identity } = changed;
    await revokeAccess(tx, userId);
    const revoked = revokesTokens ? await this.tokens.revokeOfUser(userId, tx) : null;
    const facts = revoked ? { tokens: 'revoked' as const } : {};
    if (hadPassword) await this.outbox.tell(userId, 'password_changed', facts, tx);
    return { identity, after: revoked === null ? undefined : { tokens_revoked: revoked } };
  }

  private async identify(
    found: Credentials | null,
    password: string,
    whom: HashedFor,
    owner: string,
  ): Promise<Identity | null> {
    const typed = password.slice(0, LONGEST_PASSWORD * 2);
    const same = await this.queue.run(whom, owner, () => verifyPassword(typed, found?.passwordHash ?? this.decoy));
    if (!same || found?.passwordHash == null) return null;
    const { userId, email, sessionEpoch } = found;
    return { userId, email, sessionEpoch };
  }
}
