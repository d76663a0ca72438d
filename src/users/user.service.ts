import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { DomainError, MissingError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { Mailboxes } from './mailboxes';
import { revokeAccess } from './revoke-access';
import type { UserRecord, UserSettings } from './user-record';
import { type UserKey, UserRepository } from './user.repository';
import { checkEmail, checkRateLimit, checkUserName, normaliseEmail } from './user.validation';

export type { UserRecord, UserSettings } from './user-record';

/** Each change may be part of the caller's transaction. */
@Injectable()
export class UserService {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserRepository,
    private readonly mailboxes: Mailboxes,
  ) {}

  /** The user and the account that pays for it. @throws DomainError when another user has the mailbox */
  async create(
    email: string,
    settings: UserSettings & { readonly name: string },
    tx?: SqlTransaction,
    byOperator = true,
  ): Promise<UserRecord> {
    const checked = checkSettings(settings);
    const user = { ...checked, id: uuid(), email: checkEmail(email), name: checkUserName(settings.name) };
    return this.sql.within(tx, async (within) => {
      await this.mailboxes.take(user.email, null, within, byOperator);
      const created = await this.users.create(user, within);
      if (!created) throw new DomainError('user.email-taken');
      return created;
    });
  }

  /** Until the transaction ends, no other one makes or removes an operator. Before `lock`. */
  lockOperators(tx: SqlTransaction): Promise<void> {
    return this.users.holdOperators(tx);
  }

  /** @throws DomainError when this user is the last operator. After `lockOperators`. */
  async refuseOnLastOperator({ id, operator, disabledAt }: UserRecord, tx: SqlTransaction): Promise<void> {
    if (!operator || disabledAt !== null || (await this.users.hasOtherOperator(id, tx))) return;
    throw new DomainError('user.last-operator');
  }

  /** Until the transaction ends, no other one changes what this returns. */
  async lock(email: string, tx: SqlTransaction): Promise<UserRecord> {
    return (await this.users.lock(normaliseEmail(email), tx)) ?? missing(email);
  }

  async update(email: string, settings: UserSettings, db?: Queryable): Promise<UserRecord> {
    return (await this.users.update(normaliseEmail(email), checkSettings(settings), db)) ?? missing(email);
  }

  /** Every token of the user is refused from the next request on; sessions and links end for good. */
  disable(email: string, tx?: SqlTransaction): Promise<UserRecord> {
    return this.sql.within(tx, async (within) => {
      const user = (await this.users.setDisabled(normaliseEmail(email), true, within)) ?? missing(email);
      await revokeAccess(within, user.id);
      return user;
    });
  }

  async enable(email: string, db?: Queryable): Promise<UserRecord> {
    return (await this.users.setDisabled(normaliseEmail(email), false, db)) ?? missing(email);
  }

  async get(email: string): Promise<UserRecord> {
    return (await this.find({ email: normaliseEmail(email) })) ?? missing(email);
  }

  find(by: UserKey): Promise<UserRecord | null> {
    return this.users.find(by);
  }

  /** Oldest first. */
  list(limit?: number): Promise<UserRecord[]> {
    return this.users.list(limit);
  }
}

function missing(email: string): never {
  throw new MissingError('user.not-found', { email });
}

function checkSettings({
  name,
  operator,
  unitPriceSun,
  rateLimitPerMinute,
  lowBalanceSun,
}: UserSettings): UserSettings {
  return {
    name: name === undefined ? undefined : checkUserName(name),
    operator,
    unitPriceSun,
    rateLimitPerMinute: rateLimitPerMinute === undefined ? undefined : checkRateLimit(rateLimitPerMinute),
    lowBalanceSun,
  };
}
