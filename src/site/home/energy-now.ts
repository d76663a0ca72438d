import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { KeptRead } from '../../common/concurrency/kept-read';
import { EnergyOutlook } from '../../reporting/outlooks/energy-outlook';
import { OrderOutlook } from '../../reporting/outlooks/order-outlook';

/** However many ask, it is read so often. */
const KEPT_MS = 30_000;

/** The energy as strangers see it: about how much, never what the pool holds exactly. */
export type EnergyNow =
  | { readonly state: 'available'; readonly energy: bigint; readonly transactions: bigint }
  | { readonly state: 'little' | 'paused' | 'unknown' };

@Injectable()
export class EnergyForStrangers {
  private readonly logger = new Logger(EnergyForStrangers.name);
  private readonly kept: KeptRead<EnergyNow>;

  constructor(
    clock: Clock,
    private readonly energy: EnergyOutlook,
    private readonly orders: OrderOutlook,
  ) {
    this.kept = new KeptRead(clock, KEPT_MS, () => this.read());
  }

  now(): Promise<EnergyNow> {
    return this.kept.get();
  }

  /** A failure is kept as well: while the database is away each stranger would ask it again. */
  private async read(): Promise<EnergyNow> {
    try {
      const [pool, { refusal }] = await Promise.all([this.energy.ofPool(), this.orders.now()]);
      if (refusal?.code === 'PAUSED') return { state: 'paused' };
      if (!pool) return { state: 'unknown' };
      if (refusal || pool.transactions === 0n) return { state: 'little' };
      return { state: 'available', energy: coarse(pool.available), transactions: coarse(pool.transactions) };
    } catch (error) {
      this.logger.warn({ err: error }, 'The energy for the first page could not be read');
      return { state: 'unknown' };
    }
  }
}

/** Two digits and zeros: 1,456 is about 1,400. */
function coarse(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, value.toString().length - 2));
  return (value / unit) * unit;
}
