import type { Client } from 'pg';
import type { RequestUser } from '../../../src/users/request-user';
import { empty } from '../database/empty';
import type { Kernel } from '../kernel/kernel';
import { seededUuid } from '../kernel/virtual-world';
import type { SimChain, ChainWallet } from '../network/sim-chain';
import { secretOf } from '../network/webhook-truth';
import { setUpCare } from './setup-care';
import type { Plan } from './plan';

export interface Setting {
  readonly users: readonly RequestUser[];
  readonly wallets: readonly ChainWallet[];
  readonly receivers: readonly string[];
  /** base58check */
  readonly witnesses: readonly string[];
}

const SUN = 1_000_000n;
/** What one order's energy takes, about. */
export const STAKE_OF_ORDER_SUN = 6_900n * SUN;
const ENERGY = 65_000n;
export const HOOK_HOST = 'hooks.example';

export async function setUp(kernel: Kernel, database: Client, chain: SimChain, plan: Plan): Promise<Setting> {
  await database.query(empty('written'));
  const now = new Date(kernel.nowMs).toISOString();
  await database.query(`select set_config('sim.clock', $1, false), set_config('sim.transaction', $1, false)`, [now]);
  const wallets: ChainWallet[] = [];
  const shown = await chain.ask('wallet/listwitnesses', { visible: true });
  const witnesses = (shown['witnesses'] as { address: string }[]).map(({ address }) => address);
  for (const [at, orders] of plan.walletOrders.entries()) {
    const wallet = await chain.addWallet(at, BigInt(orders) * STAKE_OF_ORDER_SUN);
    wallets.push(wallet);
    await addWallet(database, `wallet ${at}`, wallet, 'delegate');
    const care = plan.care?.[at];
    if (care) await setUpCare(database, chain, { number: at, wallet, care, witnesses });
  }
  const activating = await chain.addWallet(Math.max(9, wallets.length), 0n);
  await addWallet(database, 'activation', activating, 'activate');
  const receivers: string[] = [];
  for (const [at, isActive] of plan.receivers.entries()) receivers.push(await chain.addReceiver(at, isActive));
  const users: RequestUser[] = [];
  for (const [at, user] of plan.users.entries()) users.push(await addUser(database, at, user));
  return { users, wallets, receivers, witnesses };
}

async function addWallet(database: Client, name: string, { address, key }: ChainWallet, role: string): Promise<void> {
  const variable = `SIMULATED_KEY_${name.replace(' ', '_').toUpperCase()}`;
  process.env[variable] = key;
  await database.query(`insert into pool_wallets (id, name, address, role, key_source) values ($1, $2, $3, $4, $5)`, [
    seededUuid(),
    name,
    address,
    role,
    `env:${variable}`,
  ]);
}

async function addUser(database: Client, at: number, user: Plan['users'][number]): Promise<RequestUser> {
  const [id, tokenId] = [seededUuid(), seededUuid()];
  const balanceSun = BigInt(user.balanceTrx) * SUN;
  await database.query(`insert into users (id, email, name) values ($1, $2, 'simulated')`, [id, `${at}@example.com`]);
  await database.query(
    `with account as (insert into accounts (user_id, balance_sun) values ($1, $2) returning user_id, balance_sun)
     insert into ledger_entries (user_id, kind, amount_sun, balance_sun) select user_id, 'credit', balance_sun, balance_sun from account`,
    [id, balanceSun],
  );
  if (user.quotaTransactions > 0)
    await database.query(
      `insert into subscriptions (id, user_id, quota_energy, valid_from, valid_until)
       values ($1, $2, $3, now() - interval '1 day', now() + interval '1 day')`,
      [seededUuid(), id, BigInt(user.quotaTransactions) * ENERGY],
    );
  await database.query(
    `insert into api_tokens (id, user_id, name, prefix, hash, permissions, daily_limit_sun)
       values ($1, $2, 'simulated', 'sim', decode(md5($3), 'hex'), '{delegate,balance}', $4)`,
    [tokenId, id, tokenId, user.dailyLimitTrx === null ? null : BigInt(user.dailyLimitTrx) * SUN],
  );
  if (user.hasWebhook)
    await database.query('insert into webhooks (id, user_id, url, secret) values ($1, $2, $3, $4)', [
      seededUuid(),
      id,
      `http://${HOOK_HOST}/${at}`,
      `plain.${secretOf(at).toString('base64')}`,
    ]);
  return { id, tokenId, rateLimitPerMinute: null, permissions: ['delegate', 'balance'], receivers: null, ips: null };
}
