import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { FreeActivationRepository } from '../../delegation/placing/free-activation.repository';
import { MOST_FREE_ACTIVATIONS } from '../../delegation/placing/free-activations';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';
import { MetricsRepository } from './metrics.repository';

const FRESH_MS = 10_000;

const GAUGES = [
  {
    name: 'energy_orders',
    help: 'Orders that are not finished, and those of the last 24 hours, by state and answer.',
    labels: ['state', 'answer'],
  },
  { name: 'energy_orders_paused', help: '1 while the switch for all new orders is off (orders:pause).' },
  { name: 'energy_reclaims_paused', help: '1 while the switch for all reclaims is off (reclaims:pause).' },
  {
    name: 'energy_database_restored',
    help: '1 while the database was restored or copied: the service signs nothing until restore:confirm.',
  },
  { name: 'energy_holds', help: 'Orders whose money or quota is held.' },
  { name: 'energy_holds_sun', help: 'Money held.' },
  { name: 'energy_holds_quota_energy', help: 'Quota held.' },
  { name: 'energy_holds_oldest_seconds', help: 'Age of the oldest hold; an order settles within three minutes.' },
  { name: 'energy_lent_energy', help: 'Energy that receivers have now.' },
  { name: 'energy_lent_stake_sun', help: 'Stake of the energy that receivers have now.' },
  { name: 'energy_due_energy', help: 'Energy that is due and not back yet.' },
  { name: 'energy_reclaims_due', help: 'Orders that are due and whose stake is not back yet.' },
  {
    name: 'energy_sweeper_lag_seconds',
    help: 'How long the oldest due order has waited for its undelegation to be signed.',
  },
  {
    name: 'energy_free_activations',
    help: 'Activations of 24 hours, by block time, that are free because their orders were answered with a failure.',
  },
  {
    name: 'energy_accounts_without_activations',
    help: 'Accounts that get no activation for now, because too many of theirs were free.',
  },
  {
    name: 'energy_reconciler_last_success_timestamp_seconds',
    help: 'Time of the last completed run of the reconciler, in seconds since 1970; absent before the first.',
  },
  { name: 'energy_reconciler_interval_seconds', help: 'Interval between runs of the reconciler (RECONCILE_EVERY).' },
  { name: 'energy_findings', help: 'Open findings of the reconciler.', labels: ['kind'] },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** Numbers of the whole database: every instance gives the same, so a query takes their maximum, never their sum. */
@Injectable()
export class OrderMetrics {
  constructor(
    registry: MetricsRegistry,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly repository: MetricsRepository,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly activations: FreeActivationRepository,
  ) {
    registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
  }

  private async read(): Promise<Map<Name, Sample[]>> {
    const orders = await this.repository.countOrders();
    const findings = await this.repository.countFindings();
    const holds = await this.repository.sumHolds();
    const lent = await this.repository.sumLent();
    const stops = await this.repository.readStops();
    const reconciledAt = await this.repository.reconciledAt();
    // Without a block it is not known what happened within a day of block time.
    const timeMs = this.referenceBlocks.lastTimeMs();
    const free = timeMs === null ? null : await this.activations.countOfAll(timeMs);
    return new Map<Name, Sample[]>([
      ['energy_orders', orders.map(({ state, answer, orders: value }) => ({ value, labels: { state, answer } }))],
      ['energy_orders_paused', one(stops.orders ? 1 : 0)],
      ['energy_reclaims_paused', one(stops.reclaims ? 1 : 0)],
      ['energy_database_restored', one(stops.restored ? 1 : 0)],
      ['energy_reconciler_last_success_timestamp_seconds', reconciledAt === null ? [] : one(reconciledAt)],
      ['energy_reconciler_interval_seconds', one(this.configuration.reconcileMs / 1000)],
      ['energy_holds', one(holds.holds)],
      ['energy_holds_sun', one(holds.sun)],
      ['energy_holds_quota_energy', one(holds.energy)],
      ['energy_holds_oldest_seconds', one(holds.oldest_seconds)],
      ['energy_lent_energy', one(lent.energy)],
      ['energy_lent_stake_sun', one(lent.stake_sun)],
      ['energy_due_energy', one(lent.due_energy)],
      ['energy_reclaims_due', one(lent.due)],
      ['energy_sweeper_lag_seconds', one(lent.lag_seconds)],
      ['energy_free_activations', free ? one(Number(free.reduce((sum, of) => sum + of.free, 0n))) : []],
      [
        'energy_accounts_without_activations',
        free ? one(free.filter((of) => of.free >= MOST_FREE_ACTIVATIONS).length) : [],
      ],
      ['energy_findings', findings.map(({ kind, findings: value }) => ({ value, labels: { kind } }))],
    ]);
  }
}

function one(value: number): Sample[] {
  return [{ value }];
}
