import type { FilterQuery } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Account } from '../balance/account.entity';
import { MissingError, DomainError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction, type Statement } from '../database/sql';
import { revokeAccess } from './revoke-access';
import type { User } from './user.entity';
import { CREATE_USER, LOCK_USER, SET_DISABLED, UPDATE_USER } from './user.statements';
import { checkEmail, checkRateLimit, checkUserName, normaliseEmail } from './user.validation';

export interface UserSettings {
  readonly name?: string;
  readonly operator?: boolean;
  /** Variant B; null: the configured default. */
  readonly unitPriceSun?: bigint | null;
  /** null: the configured general limit. */
  readonly rateLimitPerMinute?: number | null;
}

export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  readonly unitPriceSun: bigint | null;
  readonly rateLimitPerMinute: number | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly balanceSun: bigint;
  readonly heldSun: bigint;
}

/** Bounds that the database checks, by the name of its check. */
const REFUSED_BY_CHECK: Readonly<Record<string, 'user.unit-price-out-of-bounds' | 'user.rate-limit-not-positive'>> = {
  accounts_unit_price_bounds: 'user.unit-price-out-of-bounds',
  users_rate_limit_positive: 'user.rate-limit-not-positive',
};

/** Whoever changes a user may do so within a transaction of theirs. */
@Injectable()
export class UserService {
  constructor(
    private readonly em: EntityManager,
    private readonly sql: Sql,
  ) {}

  /** The user and the account that pays for it. */
  async create(
    email: string,
    settings: UserSettings & { readonly name: string },
    session: Queryable = this.sql,
  ): Promise<UserRecord> {
    const { operator, unitPriceSun, rateLimitPerMinute } = checkSettings(settings);
    const values = [
      uuid(),
      checkEmail(email),
      checkUserName(settings.name),
      operator,
      rateLimitPerMinute,
      unitPriceSun,
    ];
    const user = await change(session, CREATE_USER, values);
    if (!user) throw new DomainError('user.email-taken');
    return user;
  }

  /** What is true of the user until the transaction ends. */
  async lock(email: string, tx: SqlTransaction): Promise<UserRecord> {
    return (await change(tx, LOCK_USER, [normaliseEmail(email)])) ?? nobody(email);
  }

  async update(email: string, settings: UserSettings, session: Queryable = this.sql): Promise<UserRecord> {
    const { name, operator, unitPriceSun, rateLimitPerMinute } = checkSettings(settings);
    const limit = [rateLimitPerMinute, rateLimitPerMinute !== undefined];
    const price = [unitPriceSun, unitPriceSun !== undefined];
    const values = [normaliseEmail(email), name, operator, ...limit, ...price];
    return (await change(session, UPDATE_USER, values)) ?? nobody(email);
  }

  /** Every token of the user is refused from the next request on; sessions and links end for good. */
  async disable(email: string, tx?: SqlTransaction): Promise<UserRecord> {
    if (!tx) return this.sql.transaction((own) => this.disable(email, own));
    const user = (await change(tx, SET_DISABLED, [normaliseEmail(email), true])) ?? nobody(email);
    await revokeAccess(tx, user.id);
    return user;
  }

  async enable(email: string, session: Queryable = this.sql): Promise<UserRecord> {
    return (await change(session, SET_DISABLED, [normaliseEmail(email), false])) ?? nobody(email);
  }

  async get(email: string): Promise<UserRecord> {
    return (await this.find({ email: normaliseEmail(email) })) ?? nobody(email);
  }

  async find(where: FilterQuery<User>): Promise<UserRecord | null> {
    const account = await this.em.fork().findOne(Account, { user: where }, { populate: ['user'] });
    return account && toRecord(account);
  }

  /** Oldest first. */
  async list(limit?: number): Promise<UserRecord[]> {
    const orderBy = { user: { createdAt: 'asc', id: 'asc' } } as const;
    const accounts = await this.em.fork().find(Account, {}, { populate: ['user'], orderBy, limit });
    return accounts.map(toRecord);
  }
}

async function change(session: Queryable, statement: Statement, values: unknown[]): Promise<UserRecord | null> {
  try {
    return await session.row<UserRecord & Record<string, unknown>>(statement, values);
  } catch (error) {
    const code = REFUSED_BY_CHECK[(error as { constraint?: string }).constraint ?? ''];
    throw code === undefined ? error : new DomainError(code);
  }
}

function nobody(email: string): never {
  throw new MissingError('user.not-found', { email });
}

function checkSettings({ name, operator, unitPriceSun, rateLimitPerMinute }: UserSettings): UserSettings {
  return {
    name: name === undefined ? undefined : checkUserName(name),
    operator,
    unitPriceSun,
    rateLimitPerMinute: rateLimitPerMinute === undefined ? undefined : checkRateLimit(rateLimitPerMinute),
  };
}

function toRecord(account: Account): UserRecord {
  const { id, email, name, operator, rateLimitPerMinute, disabledAt, createdAt } = account.user.getEntity();
  const { unitPriceSun, balanceSun, heldSun } = account;
  return {
    id,
    email,
    name,
    operator,
    unitPriceSun: unitPriceSun ?? null,
    rateLimitPerMinute: rateLimitPerMinute ?? null,
    disabledAt: disabledAt ?? null,
    createdAt,
    balanceSun,
    heldSun,
  };
}
