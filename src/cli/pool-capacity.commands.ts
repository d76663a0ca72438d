import { Inject } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { ENERGY_PER_TRANSACTION } from '../billing/energy-amount';
import { type EnergyRate, largestEnergy } from '../chain/tron/energy';
import { Capacity } from '../chain/pool/wallets/capacity';
import { lendableSun } from '../chain/pool/wallets/fees';
import { type ForecastRow, PoolForecast } from '../chain/pool/wallets/pool-forecast';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { type ListedWalletRow, unfreezingEnergySun, unfreezingOf } from '../chain/pool/wallets/wallet-row';
import { unfreezeSlotsLeft } from '../chain/tron/node/unfreezing';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { Command } from './cli-command';
import { ListCommand, type ListOptions } from './list-command';
import { type Document, printList } from './output';

const WALLET_COLUMNS = [
  'name',
  'address',
  'role',
  'state',
  'stake_sun',
  'unfreezing_sun',
  'delegable_sun',
  'reserved_sun',
  'largest_order',
  'balance_sun',
  'bandwidth',
  'resting_until',
] as const;

/**
 * `largest_order` in whole transactions: a larger one, with its margin, this wallet does not take now. `unfreezing_sun`: stake for energy that
 * is on its way back to the balance; `unfreezing` has every entry, of all resources.
 */
export function walletDocument(
  wallet: ListedWalletRow,
  { rate, marginPpm, chainTimeMs }: { rate: EnergyRate | null; marginPpm: bigint; chainTimeMs: number },
): Document {
  const unfreezing = unfreezingOf(wallet);
  const isLending = wallet.role === 'delegate' && wallet.state === 'active';
  const energy = rate && isLending ? largestEnergy(lendableSun(wallet), rate, marginPpm) : 0n;
  return {
    name: wallet.name,
    address: wallet.address,
    role: wallet.role,
    state: wallet.state,
    stake_sun: wallet.stake_sun.toString(),
    unfreezing_sun: unfreezingEnergySun(wallet).toString(),
    delegable_sun: wallet.delegable_sun.toString(),
    reserved_sun: wallet.reserved_sun.toString(),
    largest_order: Number(energy / ENERGY_PER_TRANSACTION),
    balance_sun: wallet.balance_sun.toString(),
    bandwidth: Number(wallet.bandwidth),
    resting_until: wallet.rests ? wallet.resting_until!.toISOString() : null,
    unfreezing: unfreezing.map(({ resource, sun, availableMs }) => ({
      resource: resource.toLowerCase(),
      sun: sun.toString(),
      available_at: new Date(availableMs).toISOString(),
    })),
    unfreeze_slots_left: unfreezeSlotsLeft(unfreezing, chainTimeMs),
  };
}

@Command({ name: 'pool:list', description: 'list the pool wallets with what they can still delegate' })
export class PoolListCommand extends ListCommand {
  @Inject() private readonly pool!: PoolWallets;
  @Inject() private readonly capacity!: Capacity;
  @Inject() private readonly references!: ReferenceBlocks;
  @Inject(CONFIGURATION) private readonly configuration!: Configuration;

  /** Reads the chain now; without a node it shows the last reading and says so. */
  async run(_: string[], options: ListOptions): Promise<void> {
    await this.capacity.refresh().catch((error: unknown) => {
      process.stderr.write(
        `Warning: the chain could not be read, so these are the latest known values (${String(error)})\n`,
      );
    });
    const wallets = (await this.pool.list()).slice(0, options.limit);
    const { energyMarginPpm: marginPpm } = this.configuration.delegation;
    const now = { rate: this.capacity.rate, marginPpm, chainTimeMs: this.references.shownTimeMs() };
    printList(
      WALLET_COLUMNS,
      wallets.map((wallet) => walletDocument(wallet, now)),
      options,
    );
  }
}

const COLUMNS = ['name', 'after', 'due_orders', 'returned_sun', 'least_sun', 'most_sun', 'least_order', 'most_order'];

@Command({
  name: 'pool:forecast',
  description:
    'show what each wallet can delegate later: at least (receivers use all their energy) and at most (they use none)',
})
export class PoolForecastCommand extends ListCommand {
  @Inject() private readonly forecast!: PoolForecast;
  @Inject() private readonly capacity!: Capacity;
  @Inject(CONFIGURATION) private readonly configuration!: Configuration;

  async run(_: string[], options: ListOptions): Promise<void> {
    await this.capacity.refresh();
    const rows = (await this.forecast.read()).slice(0, options.limit);
    printList(
      COLUMNS,
      rows.map((row) => this.document(row)),
      options,
    );
  }

  private document({ name, afterMs, dueOrders, returnedSun, leastSun, mostSun }: ForecastRow) {
    return {
      name,
      after: `${afterMs / 60_000}m`,
      due_orders: dueOrders,
      returned_sun: returnedSun.toString(),
      least_sun: leastSun.toString(),
      most_sun: mostSun.toString(),
      least_order: this.transactions(leastSun),
      most_order: this.transactions(mostSun),
    };
  }

  private transactions(stakeSun: bigint): number {
    const { rate } = this.capacity;
    const { energyMarginPpm } = this.configuration.delegation;
    return rate ? Number(largestEnergy(stakeSun, rate, energyMarginPpm) / ENERGY_PER_TRANSACTION) : 0;
  }
}
