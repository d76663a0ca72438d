import { Command } from 'nest-commander';
import { ENERGY_PER_TRANSACTION } from '../billing/energy-amount';
import { energyOfStake } from '../chain/energy';
import { Capacity } from '../chain/wallets/capacity';
import { type ForecastRow, PoolForecast } from '../chain/wallets/pool-forecast';
import { CliCommand } from './cli-command';
import { type OutputOptions, printList } from './output';

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
