import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import { Account } from '../../src/balance/balance.entities';
import { wideNetworkOf } from '../../src/common/http/client-ip';
import { LedgerEntry } from '../../src/balance/balance.entities';
import { Subscription } from '../../src/billing/billing.entities';
import { SUN_PER_TRX } from '../../src/common/money/sun';
import { User } from '../../src/users/user.entity';

const DAY_MS = 86_400_000;
const ENERGY_PER_TRANSACTION = 65_000n;

export interface UserRow {
  email?: string;
  operator?: boolean;
  rateLimitPerMinute?: number;
  /** Native units, put there by one credit. */
  balance?: number;
  unitPriceSun?: bigint;
  /** From where the user has signed up without an operator. */
  signUpNetwork?: string;
}

/** A user with an account whose ledger adds up; returns the user's id. */
export async function insertUser(orm: MikroORM, row: UserRow = {}): Promise<string> {
  const em = orm.em.fork();
  const { email = `${uuid()}@example.com`, operator, rateLimitPerMinute, unitPriceSun, signUpNetwork } = row;
  const signUpWideNetwork = signUpNetwork === undefined ? null : wideNetworkOf(signUpNetwork);
  const origin = { signUpNetwork, signUpWideNetwork };
  const user = em.create(User, { id: uuid(), email, name: email, operator, rateLimitPerMinute, ...origin });
  const balanceSun = BigInt(row.balance ?? 0) * SUN_PER_TRX;
  em.create(Account, { user, balanceSun, unitPriceSun });
  if (balanceSun > 0n) em.create(LedgerEntry, { user, kind: 'credit', amountSun: balanceSun, balanceSun });
  await em.flush();
  return user.id;
}

/** A valid subscription of so many transactions; returns its id. */
export async function insertSubscription(
  orm: MikroORM,
  userId: string,
  transactions: number,
  days = 30,
): Promise<string> {
  const em = orm.em.fork();
  const subscription = em.create(Subscription, {
    id: uuid(),
    user: em.getReference(User, userId),
    quotaEnergy: BigInt(transactions) * ENERGY_PER_TRANSACTION,
    // A chain whose blocks a test makes is behind the clock.
    validFrom: new Date(Date.now() - DAY_MS),
    validUntil: new Date(Date.now() + days * DAY_MS),
  });
  await em.flush();
  return subscription.id;
}
