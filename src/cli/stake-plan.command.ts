import { Inject } from '@nestjs/common';
import { Capacity } from '../chain/pool/wallets/capacity';
import { formatTrx } from '../common/money/sun';
import { type PlanRequest, type StakeFigures, StakePlan, type StakePlanView } from '../reporting/stake-plan/stake-plan';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { parsePositiveInteger, parseTrxSun } from './option-parsers';
import { type Document, type OutputOptions, printDocument, printList } from './output';
import { UsageError } from './usage.error';

interface PlanOptions extends OutputOptions {
  readonly ordersPerDay?: number;
  readonly trx?: bigint;
}

const MOST_ORDERS = 1_000_000_000;
const COLUMNS = [
  'stake',
  'orders_per_day',
  'stake_energy_sun',
  'stake_bandwidth_sun',
  'burned_trx_per_day',
  'burned_share_percent',
];

@Command({
  name: 'stake:plan',
  description:
    'plan how much TRX to stake for energy and for bandwidth, and show what burned bandwidth costs of the revenue',
  options: [
    {
      flags: '--orders-per-day <N>',
      description: 'plan for this many orders a day; default: those of the last week',
      read: (text) => parsePositiveInteger('--orders-per-day', text, MOST_ORDERS),
    },
    {
      flags: '--trx <N>',
      description:
        'split this much TRX, and show how many orders a day it carries; with --orders-per-day, what those orders burn in addition',
      read: readTrx,
    },
  ],
})
export class StakePlanCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly plan!: StakePlan;
  @Inject() private readonly capacity!: Capacity;

  /** Reads the wallets now. */
  async run(_: string[], options: PlanOptions): Promise<void> {
    await this.capacity.refresh();
    const plan = await this.plan.read(requestOf(options));
    if (options.json) printDocument(documentOf(plan), options);
    else printPlan(plan, options);
  }
}

function readTrx(text: string): bigint {
  const sun = parseTrxSun('--trx', text);
  if (sun === 0n) throw new UsageError('--trx must be above 0');
  return sun;
}

function requestOf({ ordersPerDay, trx }: PlanOptions): PlanRequest {
  return {
    ...(ordersPerDay !== undefined && { ordersPerDay: BigInt(ordersPerDay) }),
    ...(trx !== undefined && { totalSun: trx }),
  };
}

function figuresOf({ ordersPerDay, stakes, burnedSunPerDay, burnedSharePercent }: StakeFigures): Document {
  return {
    orders_per_day: Number(ordersPerDay),
    stake_energy_sun: stakes.energySun.toString(),
    stake_bandwidth_sun: stakes.bandwidthSun.toString(),
    burned_sun_per_day: burnedSunPerDay.toString(),
    burned_share_percent: burnedSharePercent,
  };
}

function rowOf(figures: StakeFigures): Document {
  return { ...figuresOf(figures), burned_trx_per_day: formatTrx(figures.burnedSunPerDay) };
}

function documentOf({ planned, now, need, price, week, totals }: StakePlanView): Document {
  return {
    ...figuresOf(planned),
    now: figuresOf(now),
    order: {
      energy: Number(need.energy),
      bytes: Number(need.bytes),
      brought_sun: (price.sun / price.orders).toString(),
    },
    week: {
      from: week.from.toISOString(),
      orders: Number(week.landed),
      brought_sun: week.broughtSun.toString(),
      burned_sun: week.burned.burnedSun.toString(),
      transactions_read: Number(week.burned.transactions),
      transactions_unread: Number(week.burned.unread),
    },
    network: {
      said_by: totals.node,
      energy_limit: totals.energy.limit.toString(),
      energy_weight_trx: totals.energy.weight.toString(),
      bandwidth_limit: totals.bandwidth.limit.toString(),
      bandwidth_weight_trx: totals.bandwidth.weight.toString(),
    },
  };
}

function printPlan({ planned, now, totals, week }: StakePlanView, options: PlanOptions): void {
  printList(
    COLUMNS,
    [
      { stake: 'planned', ...rowOf(planned) },
      { stake: 'now', ...rowOf(now) },
    ],
    options,
  );
  process.stderr.write(
    `Planned: what these orders would burn a day without stake for bandwidth. Now: the orders of the week since ${week.from.toISOString().slice(0, 10)} ` +
      `with the present stake. The network's totals come from ${totals.node}.\n`,
  );
}
