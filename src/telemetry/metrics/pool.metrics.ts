import { Injectable } from '@nestjs/common';
import { energyOfStake } from '../../chain/tron/energy';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { lendableSun, ordersPaid } from '../../chain/pool/wallets/fees';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { type ListedWalletRow, unfreezingEnergySun, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';

const FRESH_MS = 5_000;
const LABELS = ['wallet', 'role'] as const;

const GAUGES = [
  { name: 'energy_pool_stake_sun', help: 'Staked for energy, delegated or not.', labels: LABELS },
  {
    name: 'energy_pool_unfreezing_sun',
    help: 'Stake for energy on its way back to the balance; it cannot be delegated.',
    labels: LABELS,
  },
  {
    name: 'energy_pool_delegable_sun',
    help: 'Stake that the wallet can delegate, according to the node at its solid block.',
    labels: LABELS,
  },
  {
    name: 'energy_pool_reserved_sun',
    help: 'Stake reserved for orders that the reading does not include yet.',
    labels: LABELS,
  },
  { name: 'energy_pool_free_energy', help: 'Energy that one more order can get from the wallet.', labels: LABELS },
  { name: 'energy_pool_balance_sun', help: 'Liquid TRX.', labels: LABELS },
  { name: 'energy_pool_bandwidth_bytes', help: 'Bandwidth left, staked and free.', labels: LABELS },
  { name: 'energy_pool_transactions_due', help: 'Transactions that the wallet still has to pay for.', labels: LABELS },
  {
    name: 'energy_pool_orders_paid',
    help: 'More orders that the wallet can pay for, each with its reclaim.',
    labels: LABELS,
  },
  {
    name: 'energy_pool_refusals',
    help: 'Refusals by the network that the wallet itself caused, since its last success; the wallet rests after each.',
    labels: LABELS,
  },
  {
    name: 'energy_pool_resting',
    help: '1 while the wallet rests after a refusal and takes no new orders.',
    labels: LABELS,
  },
  { name: 'energy_pool_observed_age_seconds', help: 'Age of the last reading of the wallet.', labels: LABELS },
  {
    name: 'energy_pool_wallet_state',
    help: '1 for the state that the wallet is in: active, paused or draining.',
    labels: [...LABELS, 'state'],
  },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** The wallets' rows in the database: the same from every instance. */
@Injectable()
export class PoolMetrics {
  constructor(
    registry: MetricsRegistry,
    private readonly poolWallets: PoolWallets,
    private readonly capacity: Capacity,
  ) {
    registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
  }

  private async read(): Promise<Map<Name, Sample[]>> {
    const wallets = await this.poolWallets.list();
    const { rate } = this.capacity;
    const by = (value: (wallet: ListedWalletRow) => bigint | number | null): Sample[] =>
      wallets.flatMap((wallet) => {
        const found = value(wallet);
        return found === null ? [] : [{ value: Number(found), labels: labelsOf(wallet) }];
      });
    return new Map<Name, Sample[]>([
      ['energy_pool_stake_sun', by((wallet) => wallet.stake_sun)],
      ['energy_pool_unfreezing_sun', by(unfreezingEnergySun)],
      ['energy_pool_delegable_sun', by((wallet) => wallet.delegable_sun)],
      ['energy_pool_reserved_sun', by((wallet) => wallet.reserved_sun)],
      ['energy_pool_free_energy', by((wallet) => rate && energyOfStake(lendableSun(wallet), rate))],
      ['energy_pool_balance_sun', by((wallet) => wallet.balance_sun)],
      ['energy_pool_bandwidth_bytes', by((wallet) => wallet.bandwidth)],
      ['energy_pool_transactions_due', by((wallet) => wallet.transactions_due)],
      ['energy_pool_orders_paid', by((wallet) => (wallet.role === 'delegate' ? ordersPaid(wallet) : null))],
      ['energy_pool_refusals', by(({ refusals }) => refusals)],
      ['energy_pool_resting', by(({ rests }) => (rests ? 1 : 0))],
      ['energy_pool_observed_age_seconds', by(({ read_ms_ago: ago }) => ago && ago / 1000)],
      [
        'energy_pool_wallet_state',
        wallets.map((wallet) => ({ value: 1, labels: { ...labelsOf(wallet), state: wallet.state } })),
      ],
    ]);
  }
}

function labelsOf({ name, role }: WalletRow): { wallet: string; role: string } {
  return { wallet: name, role };
}
