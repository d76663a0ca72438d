import { Injectable } from '@nestjs/common';
import { DepositProgress } from '../../deposits/deposit-progress';
import { UnexplainedHoldings } from '../../deposits/unexplained-holdings';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';

const FRESH_MS = 5_000;

const GAUGES = [
  { name: 'deposit_blocks_behind', help: 'Final blocks that were not searched for deposits yet.' },
  { name: 'deposit_addresses_unexplained', help: 'Deposit addresses that hold more than deposits explain.' },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** While deposits are off there are none. */
@Injectable()
export class DepositMetrics {
  constructor(
    registry: MetricsRegistry,
    private readonly progress: DepositProgress,
    private readonly holdings: UnexplainedHoldings,
  ) {
    if (progress.isOn) registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
  }

  private async read(): Promise<Map<Name, Sample[]>> {
    const behind = await this.progress.blocksBehind();
    return new Map<Name, Sample[]>([
      ['deposit_blocks_behind', behind === null ? [] : [{ value: behind }]],
      ['deposit_addresses_unexplained', [{ value: (await this.holdings.list()).length }]],
    ]);
  }
}
