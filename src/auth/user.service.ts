import {
  CheckConstraintViolationException,
  type FilterQuery,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Account } from '../balance/account.entity';
import { RefusalError } from '../common/refusal.error';
import { User } from './user.entity';
import { checkEmail, checkRateLimit, checkUserName, normaliseEmail } from './user-values';

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

@Injectable()
export class UserService {
  constructor(private readonly em: EntityManager) {}

  /** The user and the account that pays for it, in one transaction. */
  async create(email: string, settings: UserSettings & { readonly name: string }): Promise<UserRecord> {
    const em = this.em.fork();
    const user = em.create(User, { id: uuid(), email: checkEmail(email), name: settings.name, operator: false });
    const account = em.create(Account, { user });
    apply(account, user, settings);
    await flush(em);
    return this.get(user.email);
  }

  async update(email: string, settings: UserSettings): Promise<UserRecord> {
    const em = this.em.fork();
    const account = await getAccount(em, email);
    apply(account, account.user.getEntity(), settings);
    await flush(em);
    return toRecord(account);
  }

  /** Every token of the user is refused from the next request on. */
  async disable(email: string): Promise<UserRecord> {
    const em = this.em.fork();
    const account = await getAccount(em, email);
    account.user.getEntity().disabledAt ??= new Date();
    await flush(em);
    return toRecord(account);
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
  if (name !== undefined) user.name = checkUserName(name);
  if (operator !== undefined) user.operator = operator;
  if (unitPriceSun !== undefined) account.unitPriceSun = unitPriceSun;
  if (rateLimitPerMinute !== undefined) user.rateLimitPerMinute = checkRateLimit(rateLimitPerMinute);
}

async function flush(em: EntityManager): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw new RefusalError('there is already a user with this e-mail address');
    if (error instanceof CheckConstraintViolationException) {
      const words = WORDS[(error as CheckConstraintViolationException & { constraint?: string }).constraint ?? ''];
      if (words) throw new RefusalError(words);
    }
    throw error;
  }
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
