import { Injectable } from '@nestjs/common';
import type { Finding } from '../../billing/audit/audit-check';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { energyOfStake } from '../../chain/energy';
import { Capacity } from '../../chain/pool/capacity';
import { activationsLeft, ordersPaid } from '../../chain/pool/fees';
import { PoolAdmin } from '../../chain/pool/pool-admin';
import { freeSun, type WalletRow } from '../../chain/pool/wallet-row';

/** Below these, somebody should act while orders still go through. */
const FEWEST_TRANSACTIONS = 10n;
const FEWEST_ORDERS_PAID = 100n;
const FEWEST_ACTIVATIONS = 20n;

/** What runs out soon: stake, bandwidth, TRX. Kinds begin with `low_`, for nothing is wrong yet. */
@Injectable()
export class PoolAlarms {
  constructor(
    private readonly pool: PoolAdmin,
    private readonly capacity: Capacity,
  ) {}

  async read(): Promise<Finding[]> {
    const wallets = (await this.pool.list()).filter(({ state, observed_at }) => state === 'active' && observed_at);
    const delegating = wallets.filter(({ role }) => role === 'delegate');
    const activating = wallets.filter(({ role }) => role === 'activate');
    return [...this.stake(delegating), ...delegating.flatMap(fees), ...activating.flatMap(activations)];
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
        reason: `the active wallets have energy for ${transactions} transactions`,
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
      reason: `${wallet.bandwidth} bytes of bandwidth and ${wallet.balance_sun} sun pay for ${orders} more orders beside those under way`,
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
      reason: `${wallet.balance_sun} sun pay for ${left} more activations`,
      next_step: 'Send TRX to the wallet.',
    },
  ];
}
