import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { KeptRead } from '../../common/concurrency/kept-read';
import { OrderOutlook, type OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { downMinutes } from '../../reporting/service-record/down-minutes';
import { type Incident, IncidentRepository, joined } from '../../reporting/service-record/incident.repository';
import { CAUSES, type PublicCause } from '../../reporting/service-record/outage-cause';
import {
  type RecordedDay,
  type ServiceRecord,
  ServiceRecordRepository,
} from '../../reporting/service-record/service-record.repository';

/** However many ask: whether orders are taken is read so often, */
const STATE_KEPT_MS = 15_000;
/** and the orders of today so often. */
const RECORD_KEPT_MS = 60_000;

export interface Refusing {
  readonly cause: PublicCause;
  /** An operator's own words. */
  readonly words: string | null;
  /** Null: it began within the last minute. */
  readonly since: Date | null;
}

export interface StatusDay extends RecordedDay {
  readonly downMinutes: number;
}

export interface Status {
  /** Null: orders are taken. */
  readonly refusing: Refusing | null;
  readonly orders: bigint;
  readonly failed: bigint;
  readonly inclusionMs: ServiceRecord['inclusionMs'];
  readonly days: readonly StatusDay[];
  /** Oldest first. */
  readonly incidents: readonly Incident[];
}

/** What the service says of itself to everybody: nothing about customers, and no name or address of a wallet. */
@Injectable()
export class ServiceStatus {
  private readonly logger = new Logger(ServiceStatus.name);
  private readonly record: KeptRead<ServiceRecord>;
  private readonly kept: KeptRead<{ readonly status: Status } | { readonly error: unknown }>;

  constructor(
    private readonly clock: Clock,
    private readonly outlook: OrderOutlook,
    private readonly incidents: IncidentRepository,
    records: ServiceRecordRepository,
  ) {
    this.record = new KeptRead(clock, RECORD_KEPT_MS, () => records.read());
    // A failure is kept as well: while the database is away each stranger would ask it again.
    this.kept = new KeptRead(clock, STATE_KEPT_MS, () => this.read().catch((error: unknown) => this.failed(error)));
  }

  /** The same object for all who ask until it is read again. @throws what the database does */
  async now(): Promise<Status> {
    const kept = await this.kept.get();
    if ('error' in kept) throw kept.error;
    return kept.status;
  }

  private async read(): Promise<{ readonly status: Status }> {
    const [outlook, record] = await Promise.all([this.outlook.now(), this.record.get()]);
    const begin = new Date(`${record.days[0]!.date}T00:00:00Z`);
    const incidents = await this.incidents.since(begin);
    const down = joined(incidents.filter(({ kind }) => kind !== 'reduced_capacity'));
    const now = this.clock.now();
    const days = record.days.map((day) => ({ ...day, downMinutes: downMinutes(day.date, down, now) }));
    return {
      status: {
        refusing: refusingOf(outlook, incidents),
        orders: days.reduce((sum, { orders }) => sum + orders, 0n),
        failed: days.reduce((sum, { failed }) => sum + failed, 0n),
        inclusionMs: record.inclusionMs,
        days,
        incidents,
      },
    };
  }

  private failed(error: unknown): { readonly error: unknown } {
    this.logger.warn({ err: error }, 'The status page could not be read');
    return { error };
  }
}

/** The pause is read after the outlook, and both answers have to say the same: what the later one says counts. */
function refusingOf({ refusal }: OrderOutlookView, incidents: readonly Incident[]): Refusing | null {
  const lasting = incidents.filter(({ until }) => until === null);
  const pause = lasting.find(({ kind }) => kind === 'orders_paused');
  if (pause) return { cause: 'paused', words: pause.reason, since: pause.from };
  if (refusal === null || refusal.why === 'switch') return null;
  const cause = CAUSES[refusal.why];
  return { cause, words: null, since: lasting.find((outage) => outage.cause === cause)?.from ?? null };
}
