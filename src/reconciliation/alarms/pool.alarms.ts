import { Injectable } from '@nestjs/common';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { energyOfStake } from '../../chain/tron/energy';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { activationsLeft, ordersPaid } from '../../chain/pool/wallets/fees';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { freeSun, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { type Finding, finding } from '../../findings/finding';
import { walletRefused } from '../../findings/wallet-refused';

/** Below these, somebody should act while orders still go through. */
const FEWEST_TRANSACTIONS = 10n;
const FEWEST_ORDERS_PAID = 100n;
const FEWEST_ACTIVATIONS = 20n;

/**
 * What runs out soon: stake, bandwidth, TRX; these kinds begin with `low_`, for nothing is wrong yet. And wallets that the
 * network refuses, whether they take orders or not: what they have lent has to come back.
 */
@Injectable()
export class PoolAlarms {
  constructor(
    private readonly pool: PoolWallets,
    private readonly capacity: Capacity,
  ) {}

  async read(): Promise<Finding[]> {
    const all = await this.pool.list();
    const wallets = all.filter(({ state, observed_at }) => state === 'active' && observed_at);
    const delegating = wallets.filter(({ role }) => role === 'delegate');
    const activating = wallets.filter(({ role }) => role === 'activate');
    const refused = all.filter(({ refusals }) => refusals > 0).map(walletRefused);
    return [...this.stake(delegating), ...delegating.flatMap(fees), ...activating.flatMap(activations), ...refused];
  }

  private stake(wallets: readonly WalletRow[]): Finding[] {
    const { rate } = this.capacity;
    if (!rate || wallets.length === 0) return [];
    const energy = wallets.reduce((sum, wallet) => sum + energyOfStake(freeSun(wallet), rate), 0n);
    const transactions = energy / ENERGY_PER_TRANSACTION;
    if (transactions >= FEWEST_TRANSACTIONS) return [];
    return [finding('low_stake', { transactions: transactions.toString() }, { type: 'pool' })];
  }
}

function fees(wallet: WalletRow): Finding[] {
  const orders = ordersPaid(wallet);
  if (orders >= FEWEST_ORDERS_PAID) return [];
  const { bandwidth, balance_sun: balanceSun } = wallet;
  const has = { bandwidth: bandwidth.toString(), balance_sun: balanceSun.toString(), orders_paid: orders.toString() };
  return [finding('low_bandwidth', has, subjectOf(wallet))];
}

function activations(wallet: WalletRow): Finding[] {
  const left = activationsLeft(wallet);
  if (left >= FEWEST_ACTIVATIONS) return [];
  const has = { balance_sun: wallet.balance_sun.toString(), activations: left.toString() };
  return [finding('low_trx', has, subjectOf(wallet))];
}

function subjectOf({ id, name }: WalletRow) {
  return { type: 'wallet', walletId: id, wallet: name } as const;
}
