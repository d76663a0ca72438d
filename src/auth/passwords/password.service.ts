import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain.error';
import { characterCount } from '../../common/text';
import { Sql, type SqlTransaction, type Statement } from '../../database/sql';
import { revokeAccess } from '../../users/revoke-access';
import type { Identity } from '../sessions/session.service';
import { decoyHash, hashPassword, verifyPassword } from './password-hash';

const FIND: Statement = {
  name: 'password-find',
  text: 'select id, email, session_epoch, password_hash from users where email = $1 and disabled_at is null',
};
const FIND_OF: Statement = {
  name: 'password-find-of',
  text: 'select id, email, session_epoch, password_hash from users where id = $1 and disabled_at is null',
};
const SET: Statement = {
  name: 'password-set',
  text: `update users set password_hash = $2, session_epoch = session_epoch + 1
          where id = $1 and session_epoch = coalesce($3, session_epoch) and disabled_at is null
         returning id, email, session_epoch`,
};

export const SHORTEST_PASSWORD = 12;
/** Enough for any passphrase; more would only be work for argon2. */
export const LONGEST_PASSWORD = 200;

type IdentityRow = { id: string; email: string; session_epoch: number };
type Row = IdentityRow & { password_hash: string | null };

@Injectable()
export class PasswordService {
  private readonly decoy = decoyHash();

  constructor(private readonly sql: Sql) {}

  /** Who that is, or null: for a wrong password, an unknown address and a disabled user alike, and after the same work. */
  async findUser(email: string, password: string): Promise<Identity | null> {
    return this.identify(await this.sql.row<Row>(FIND, [email.trim().toLowerCase()]), password);
  }

  /** The user, if that is the password. */
  async verify(userId: string, password: string): Promise<Identity | null> {
    return this.identify(await this.sql.row<Row>(FIND_OF, [userId]), password);
  }

  /** @throws DomainError when it is too short or too long. */
  async hash(password: string): Promise<string> {
    const length = characterCount(password);
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
      throw new DomainError('password.length', { shortest: SHORTEST_PASSWORD, longest: LONGEST_PASSWORD });
    }
    return hashPassword(password);
  }

  /** Ends every session and link of the user. With an epoch: null, and nothing done, when that has passed. */
  async set(userId: string, password: string, sessionEpoch?: number): Promise<Identity | null> {
    const hash = await this.hash(password);
    return this.sql.transaction((tx) => this.store(tx, userId, hash, sessionEpoch));
  }

  /** Null, and nothing done, for a disabled user too. */
  async store(tx: SqlTransaction, userId: string, hash: string, sessionEpoch?: number): Promise<Identity | null> {
    const row = await tx.row<IdentityRow>(SET, [userId, hash, sessionEpoch ?? null]);
    if (!row) return null;
    await revokeAccess(tx, userId);
    return identityOf(row);
  }

  private async identify(row: Row | null, password: string): Promise<Identity | null> {
    const same = await verifyPassword(password.slice(0, LONGEST_PASSWORD * 2), row?.password_hash ?? this.decoy);
    return same && row?.password_hash != null ? identityOf(row) : null;
  }
}

function identityOf({ id, email, session_epoch: sessionEpoch }: IdentityRow): Identity {
  return { userId: id, email, sessionEpoch };
}
