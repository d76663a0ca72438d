import { Command } from 'nest-commander';
import { ENERGY_PER_TRANSACTION } from '../billing/energy-amount';
import { energyOfStake, type EnergyRate } from '../chain/energy';
import { Capacity } from '../chain/wallets/capacity';
import { lendableSun } from '../chain/wallets/fees';
import { type ForecastRow, PoolForecast } from '../chain/wallets/pool-forecast';
import { PoolWallets } from '../chain/wallets/pool-wallets';
import type { WalletRow } from '../chain/wallets/wallet-row';
import { CliCommand } from './cli-command';
import { ListCommand, type ListOptions } from './list-command';
import { type Document, type OutputOptions, printList } from './output';

const WALLET_COLUMNS = [
  'name',
  'address',
  'role',
  'state',
  'stake_sun',
  'delegable_sun',
  'reserved_sun',
  'largest_order',
  'balance_sun',
  'bandwidth',
  'resting_until',
] as const;

/** `largest_order` in whole transactions: more than no single wallet can cover. */
export function walletDocument(wallet: WalletRow, rate: EnergyRate | null): Document {
  const energy = rate && wallet.role === 'delegate' ? energyOfStake(lendableSun(wallet), rate) : 0n;
  return {
    name: wallet.name,
    address: wallet.address,
    role: wallet.role,
    state: wallet.state,
    stake_sun: wallet.stake_sun.toString(),
    delegable_sun: wallet.delegable_sun.toString(),
    reserved_sun: wallet.reserved_sun.toString(),
    largest_order: Number(energy / ENERGY_PER_TRANSACTION),
    balance_sun: wallet.balance_sun.toString(),
    bandwidth: Number(wallet.bandwidth),
    resting_until: wallet.rests ? wallet.resting_until!.toISOString() : null,
  };
}

@Command({ name: 'pool:list', description: 'the pool wallets with what they could still lend' })
export class PoolListCommand extends ListCommand {
  constructor(
    private readonly pool: PoolWallets,
    private readonly capacity: Capacity,
  ) {
    super();
  }

  /** Reads the chain now; without a node it shows the last reading and says so. */
  async run(_: string[], options: ListOptions): Promise<void> {
    await this.capacity.refresh().catch((error: unknown) => {
      process.stderr.write(`Warning: the chain could not be read, this is the last reading (${String(error)})\n`);
    });
    const wallets = (await this.pool.list()).slice(0, options.limit);
    printList(
      WALLET_COLUMNS,
      wallets.map((wallet) => walletDocument(wallet, this.capacity.rate)),
      options,
    );
  }
}

const COLUMNS = ['name', 'after', 'due_orders', 'returned_sun', 'least_sun', 'most_sun', 'least_order', 'most_order'];

@Command({
  name: 'pool:forecast',
  description: 'what each wallet could lend later: at least (all lent energy is used) and at most (none is)',
})
export class PoolForecastCommand extends CliCommand {
  constructor(
    private readonly forecast: PoolForecast,
    private readonly capacity: Capacity,
  ) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    await this.capacity.refresh();
    const rows = await this.forecast.read();
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
    return rate ? Number(energyOfStake(stakeSun, rate) / ENERGY_PER_TRANSACTION) : 0;
  }
}
