import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain.error';
import { characterCount } from '../../common/text';
import { Sql, type SqlTransaction } from '../../database/sql';
import { revokeAccess } from '../../users/revoke-access';
import type { Credentials, Identity } from '../../users/user-record';
import { UserRepository } from '../../users/user.repository';
import { normaliseEmail } from '../../users/user.validation';
import { decoyHash, hashPassword, verifyPassword } from './password-hash';

export const SHORTEST_PASSWORD = 12;
/** Enough for any passphrase; argon2 would have more work with longer ones. */
export const LONGEST_PASSWORD = 200;

@Injectable()
export class PasswordService {
  private readonly decoy = decoyHash();

  constructor(
    private readonly sql: Sql,
    private readonly users: UserRepository,
  ) {}

  /** Null for a wrong password, an unknown address and a disabled user, each after the same work. */
  async findUser(email: string, password: string): Promise<Identity | null> {
    return this.identify(await this.users.findCredentials(normaliseEmail(email)), password);
  }

  /** Null when that is not the user's password. */
  async verify(userId: string, password: string): Promise<Identity | null> {
    return this.identify(await this.users.findCredentialsById(userId), password);
  }

  /** @throws DomainError when it is too short or too long. */
  async hash(password: string): Promise<string> {
    const length = characterCount(password);
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
      throw new DomainError('password.length', { shortest: SHORTEST_PASSWORD, longest: LONGEST_PASSWORD });
    }
    return hashPassword(password);
  }

  /** Ends every session and link of the user. Null, and nothing done, when the given epoch is no longer the user's. */
  async set(userId: string, password: string, sessionEpoch?: number): Promise<Identity | null> {
    const hash = await this.hash(password);
    return this.sql.transaction((tx) => this.store(tx, userId, hash, sessionEpoch));
  }

  /** The same with a hash, in the caller's transaction. Null, and nothing done, for a disabled user too. */
  async store(tx: SqlTransaction, userId: string, hash: string, sessionEpoch?: number): Promise<Identity | null> {
    const identity = await this.users.setPassword(userId, hash, sessionEpoch ?? null, tx);
    if (identity) await revokeAccess(tx, userId);
    return identity;
  }

  private async identify(found: Credentials | null, password: string): Promise<Identity | null> {
    const same = await verifyPassword(password.slice(0, LONGEST_PASSWORD * 2), found?.passwordHash ?? this.decoy);
    if (!same || found?.passwordHash == null) return null;
    const { userId, email, sessionEpoch } = found;
    return { userId, email, sessionEpoch };
  }
}
