import {
  CheckConstraintViolationException,
  type FilterQuery,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { v7 as uuid } from 'uuid';
import { Account } from '../balance/account.entity';
import { RefusalError } from '../common/refusal.error';
import { Sql, type SqlTransaction, type Statement } from '../database/sql';
import { endAccess } from './end-access';
import { User } from './user.entity';

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

/** The database draws these lines; here are the words for them. */
const WORDS: Readonly<Record<string, string>> = {
  accounts_unit_price_bounds: 'a unit price is 2 to 2.5 native units',
  users_rate_limit_positive: 'a rate limit is at least 1 call a minute',
};
const EMAIL_TAKEN = 'there is already a user with this e-mail address';
const MOST_CALLS = 1_000_000;

const CREATE_OPERATOR: Statement = {
  name: 'user-create-operator',
  text: `with created as (insert into users (id, email, name, operator) values ($1, $2, $3, true)
                          on conflict (email) do nothing returning id)
         insert into accounts (user_id) select id from created returning user_id`,
};
const DISABLE: Statement = {
  name: 'user-disable',
  text: `update users set disabled_at = coalesce(disabled_at, now()), session_epoch = session_epoch + 1
          where email = $1 returning id`,
};

@Injectable()
export class UserService {
  constructor(
    private readonly em: EntityManager,
    private readonly sql: Sql,
  ) {}

  /** The user and the account that pays for it, in one transaction. */
  async create(email: string, settings: UserSettings & { readonly name: string }): Promise<UserRecord> {
    const em = this.em.fork();
    const user = em.create(User, { id: uuid(), email: checkEmail(email), name: settings.name, operator: false });
    const account = em.create(Account, { user });
    apply(account, user, settings);
    await flush(em);
    return this.get(user.email);
  }

  /** As `create`, in somebody else's transaction; returns the user's id. */
  async createOperator(tx: SqlTransaction, email: string, name: string): Promise<string> {
    const values = [uuid(), checkEmail(email), checkName(name)];
    const created = await tx.row<{ user_id: string }>(CREATE_OPERATOR, values);
    if (!created) throw new RefusalError(EMAIL_TAKEN);
    return created.user_id;
  }

  async update(email: string, settings: UserSettings): Promise<UserRecord> {
    const em = this.em.fork();
    const account = await getAccount(em, email);
    apply(account, account.user.getEntity(), settings);
    await flush(em);
    return toRecord(account);
  }

  /** Every token of the user is refused from the next request on; sessions and links end for good. */
  async disable(email: string): Promise<UserRecord> {
    await this.sql.transaction(async (tx) => {
      const user = await tx.row<{ id: string }>(DISABLE, [normaliseEmail(email)]);
      if (user) await endAccess(tx, user.id);
    });
    return this.get(email);
  }

  async enable(email: string): Promise<UserRecord> {
    const em = this.em.fork();
    const account = await getAccount(em, email);
    account.user.getEntity().disabledAt = null;
    await flush(em);
    return toRecord(account);
  }

  async get(email: string): Promise<UserRecord> {
    return toRecord(await getAccount(this.em.fork(), email));
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

async function getAccount(em: EntityManager, email: string): Promise<Account> {
  const account = await em.findOne(Account, { user: { email: normaliseEmail(email) } }, { populate: ['user'] });
  if (!account) throw new RefusalError(`there is no user ${email}`);
  return account;
}

function apply(account: Account, user: User, settings: UserSettings): void {
  const { name, operator, unitPriceSun, rateLimitPerMinute } = settings;
  if (name !== undefined) user.name = checkName(name);
  if (operator !== undefined) user.operator = operator;
  if (unitPriceSun !== undefined) account.unitPriceSun = unitPriceSun;
  if (rateLimitPerMinute !== undefined) user.rateLimitPerMinute = checkRateLimit(rateLimitPerMinute);
}

async function flush(em: EntityManager): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new RefusalError(EMAIL_TAKEN);
    if (error instanceof CheckConstraintViolationException) {
      const words = WORDS[(error as CheckConstraintViolationException & { constraint?: string }).constraint ?? ''];
      if (words) throw new RefusalError(words);
    }
    throw error;
  }
}

function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

function checkEmail(email: string): string {
  const normalised = normaliseEmail(email);
  if (!isEmail(normalised)) throw new RefusalError(`${email} is no e-mail address`);
  return normalised;
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 200) throw new RefusalError('a user needs a name of 1 to 200 characters');
  return trimmed;
}

function checkRateLimit(calls: number | null): number | null {
  if (calls === null || (Number.isInteger(calls) && calls >= 1 && calls <= MOST_CALLS)) return calls;
  throw new RefusalError(`a rate limit is a whole number of calls a minute from 1 to ${MOST_CALLS}`);
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
