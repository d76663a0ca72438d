import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { CrashPoints } from '../../common/crash-points';
import { Shutdown } from '../../common/shutdown';
import { type WebhookAttempt, webhookAttempts } from '../../common/telemetry-channels';
import { Batcher } from '../../database/batcher';
import { SHORT_LOCK_TIMEOUT } from '../../database/short-lock-timeout';
import { Sql, type SqlTransaction } from '../../database/sql';
import { StopWebhook } from '../stop-webhook';
import { WebhookRepository } from '../webhook.repository';
import { type AttemptRecord, DeliveryRepository } from './delivery.repository';
import { type ClaimedDelivery, LEASE_MS } from './delivery.statements';
import { delayAfterMs } from './schedule';
import type { AttemptOutcome } from './webhook-client';

const GONE = 410;
const TOGETHER = { underWay: 2, size: 200 };
/** What has failed with others may be the fault of one of them. */
const ALONE = { underWay: 2, size: 1 };
const NEXT_TRY_MS = 500;

interface Asked {
  readonly record: AttemptRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes down what came of attempts: those that end at the same moment in one statement. One that fails is tried again, alone, until its
 * claim has run out for certain: lost, an attempt is made a second time, and a success with it. A lock that somebody else holds is given
 * up soon: while a record waits for it, others stand behind, and their claims run out.
 */
@Injectable()
export class RecordAttempt {
  private readonly logger = new Logger(RecordAttempt.name);
  private readonly together = new Batcher<Asked>(TOGETHER, (asked) => this.write(asked));
  private readonly alone = new Batcher<Asked>(ALONE, (asked) => this.write(asked));

  constructor(
    private readonly sql: Sql,
    private readonly deliveries: DeliveryRepository,
    private readonly webhooks: WebhookRepository,
    private readonly stopWebhook: StopWebhook,
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
    private readonly crashPoints: CrashPoints,
  ) {}

  async record(delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
    const record = recordOf(delivery, outcome);
    const endMs = this.clock.monotonicMs() + LEASE_MS;
    for (let batcher = this.together; ; batcher = this.alone) {
      try {
        if (outcome.status === GONE) await this.recordGone(delivery, record);
        else await new Promise<void>((resolve, reject) => batcher.add({ record, resolve, reject }));
        break;
      } catch (error) {
        if (this.shutdown.signal.aborted || this.clock.monotonicMs() > endMs) throw error;
        this.logger.warn({ delivery: delivery.id, err: error }, 'An attempt could not be recorded; it is tried again');
        await this.clock.sleep(NEXT_TRY_MS, this.shutdown.signal);
      }
    }
    this.crashPoints.reached('after-webhook-record');
    webhookAttempts.publish({ result: resultOf(record) } satisfies WebhookAttempt);
  }

  /** The receiver wants no more: both or neither. It says nothing of an address that the webhook was given since. */
  private recordGone({ webhookId, url }: ClaimedDelivery, record: AttemptRecord): Promise<void> {
    return this.transaction(async (tx) => {
      // Before its delivery, as everywhere.
      const webhook = await this.webhooks.lock(webhookId, undefined, tx);
      await this.deliveries.record([record], tx);
      if (webhook?.url === url) await this.stopWebhook.stop(webhookId, 'gone', tx);
    });
  }

  private async write(asked: readonly Asked[]): Promise<void> {
    try {
      const records = asked.map(({ record }) => record);
      await this.transaction((tx) => this.deliveries.record(records, tx));
      for (const { resolve } of asked) resolve();
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  private transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return this.sql.transaction((tx) => {
      tx.defer(tx.execute(SHORT_LOCK_TIMEOUT));
      return work(tx);
    });
  }
}

function recordOf({ id, epoch, step }: ClaimedDelivery, outcome: AttemptOutcome): AttemptRecord {
  const { status, retryAfterMs } = outcome;
  const claim = { id, epoch };
  if (status !== null && status >= 200 && status < 300) return { claim, outcome, state: 'delivered', delayMs: null };
  const delayMs = status === GONE ? null : delayAfterMs(step, retryAfterMs);
  return { claim, outcome, state: delayMs === null ? 'failed' : 'pending', delayMs };
}

function resultOf({ state, outcome }: AttemptRecord): WebhookAttempt['result'] {
  if (state === 'delivered') return 'delivered';
  return outcome.status === null ? outcome.reason! : 'refused';
}
