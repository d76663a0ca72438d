import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import type { Credentials, Identity, UserRecord, UserSettings } from './user-record';
import * as statements from './user.statements';

/** What names one user; an e-mail address is normalised. */
export type UserKey = { readonly id: string } | { readonly email: string };

export interface NewUser extends UserSettings {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Bounds that the database checks, by the name of its check. */
const REFUSED_BY_CHECK: Readonly<
  Record<string, 'user.unit-price-out-of-bounds' | 'user.rate-limit-not-positive' | 'user.email-taken'>
> = {
  users_email_unique: 'user.email-taken',
  accounts_unit_price_bounds: 'user.unit-price-out-of-bounds',
  users_rate_limit_positive: 'user.rate-limit-not-positive',
};

/** Table `users`, with the account of each. E-mail addresses come normalised. */
@Injectable()
export class UserRepository {
  constructor(private readonly sql: Sql) {}

  /** Null when the address is taken. @throws DomainError when a setting is out of bounds */
  create(user: NewUser, db: Queryable = this.sql): Promise<UserRecord | null> {
    const { id, email, name, operator, rateLimitPerMinute, unitPriceSun, lowBalanceSun } = user;
    const values = [id, email, name, operator, rateLimitPerMinute, unitPriceSun, lowBalanceSun] as const;
    return withinBounds(db.row(statements.CREATE, [...values]));
  }

  /** Until the transaction ends, no other one changes what was read here; orders of the user go on. */
  async lock(email: string, tx: SqlTransaction): Promise<UserRecord | null> {
    await tx.execute(statements.LOCK, [email]);
    // A separate statement: after waiting for the lock, the same one would return the account from before the wait.
    return tx.row(statements.READ, [email]);
  }

  /** @throws DomainError when a setting is out of bounds */
  update(email: string, settings: UserSettings, db: Queryable = this.sql): Promise<UserRecord | null> {
    const { name, operator, rateLimitPerMinute: limit, unitPriceSun: price, lowBalanceSun: low } = settings;
    const changes = [limit, limit !== undefined, price, price !== undefined, low, low !== undefined] as const;
    return withinBounds(db.row(statements.UPDATE, [email, name, operator, ...changes]));
  }

  setDisabled(email: string, disabled: boolean, db: Queryable = this.sql): Promise<UserRecord | null> {
    return db.row(statements.SET_DISABLED, [email, disabled]);
  }

  find(by: UserKey): Promise<UserRecord | null> {
    return 'id' in by ? this.sql.row(statements.READ_BY_ID, [by.id]) : this.sql.row(statements.READ, [by.email]);
  }

  /** Oldest first. */
  list(limit?: number): Promise<UserRecord[]> {
    return this.sql.rows(statements.LIST, [limit ?? null]);
  }

  /** Finds users who are not disabled. */
  findCredentials(email: string): Promise<Credentials | null> {
    return this.sql.row(statements.FIND_CREDENTIALS, [email]);
  }

  /** Finds users who are not disabled. */
  findCredentialsById(userId: string, db: Queryable = this.sql): Promise<Credentials | null> {
    return db.row(statements.FIND_CREDENTIALS_BY_ID, [userId]);
  }

  /** Raises the session epoch. Null, and nothing done, for a disabled user, or when the given epoch has passed. */
  setPassword(
    userId: string,
    hash: string,
    sessionEpoch: number | null,
    tx: SqlTransaction,
  ): Promise<(Identity & { readonly hadPassword: boolean }) | null> {
    return tx.row(statements.SET_PASSWORD, [userId, hash, sessionEpoch]);
  }

  /** For a user who is there. @throws DomainError when another one has the address */
  async setEmail(
    userId: string,
    email: string,
    tx: SqlTransaction,
  ): Promise<UserRecord & { readonly language: string | null }> {
    return (await withinBounds(tx.row(statements.SET_EMAIL, [userId, email])))!;
  }

  /** Locks the user's row; false for a disabled user. */
  async holdEnabled(userId: string, tx: SqlTransaction): Promise<boolean> {
    return (await tx.row(statements.HOLD_ENABLED, [userId])) !== null;
  }

  /** Until the transaction ends, no other one makes or removes an operator. Before a user's row is locked. */
  async holdOperators(tx: SqlTransaction): Promise<void> {
    await tx.execute(statements.HOLD_OPERATORS);
  }

  /** Looks for another operator who is not disabled. */
  async hasOtherOperator(userId: string, tx: SqlTransaction): Promise<boolean> {
    return (await tx.row(statements.HAS_OTHER_OPERATOR, [userId]))!.found;
  }

  async hasOperator(db: Queryable = this.sql): Promise<boolean> {
    return (await db.row(statements.HAS_OPERATOR))!.found;
  }
}

async function withinBounds<Row>(change: Promise<Row | null>): Promise<Row | null> {
  try {
    return await change;
  } catch (error) {
    const code = REFUSED_BY_CHECK[(error as { constraint?: string }).constraint ?? ''];
    throw code === undefined ? error : new DomainError(code);
  }
}
