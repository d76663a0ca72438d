import { Injectable } from '@nestjs/common';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { energyOfStake } from '../../chain/energy';
import { Capacity } from '../../chain/wallets/capacity';
import { activationsLeft, ordersPaid } from '../../chain/wallets/fees';
import { PoolWallets } from '../../chain/wallets/pool-wallets';
import { freeSun, type WalletRow } from '../../chain/wallets/wallet-row';
import { formatTrx } from '../../common/money/sun';
import { plural } from '../../common/plural';
import type { Finding } from '../../findings/finding';
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
    return [
      {
        kind: 'low_stake',
        subject: 'pool',
        reason: `the active wallets have energy for ${plural(transactions, 'transaction', 'transactions')}`,
        next_step: 'Stake more, add a wallet, or see pool:forecast for when stake comes back.',
      },
    ];
  }
}

function fees(wallet: WalletRow): Finding[] {
  const orders = ordersPaid(wallet);
  if (orders >= FEWEST_ORDERS_PAID) return [];
  return [
    {
      kind: 'low_bandwidth',
      subject: wallet.name,
      reason: `${wallet.bandwidth} bytes of bandwidth and ${formatTrx(wallet.balance_sun)} TRX pay for ${plural(orders, 'more order', 'more orders')} beside those under way`,
      next_step: 'Stake TRX for bandwidth, or send TRX to the wallet.',
    },
  ];
}

function activations(wallet: WalletRow): Finding[] {
  const left = activationsLeft(wallet);
  if (left >= FEWEST_ACTIVATIONS) return [];
  return [
    {
      kind: 'low_trx',
      subject: wallet.name,
      reason: `${formatTrx(wallet.balance_sun)} TRX pay for ${plural(left, 'more activation', 'more activations')}`,
      next_step: 'Send TRX to the wallet.',
    },
  ];
}
