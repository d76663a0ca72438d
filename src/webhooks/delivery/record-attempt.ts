import { Injectable } from '@nestjs/common';
import { CrashPoints } from '../../common/crash-points';
import { type WebhookAttempt, webhookAttempts } from '../../common/telemetry-channels';
import { Batcher } from '../../database/batcher';
import { Sql } from '../../database/sql';
import { StopWebhook } from '../stop-webhook';
import { type AttemptRecord, DeliveryRepository } from './delivery.repository';
import type { ClaimedDelivery } from './delivery.statements';
import { delayAfterMs } from './schedule';
import type { AttemptOutcome } from './webhook-client';

const GONE = 410;
const TOGETHER = { underWay: 2, size: 200 };

interface Asked {
  readonly record: AttemptRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Writes down what came of attempts: those that end at the same moment in one statement. */
@Injectable()
export class RecordAttempt {
  private readonly records = new Batcher<Asked>(TOGETHER, (asked) => this.writeTogether(asked));

  constructor(
    private readonly sql: Sql,
    private readonly deliveries: DeliveryRepository,
    private readonly stopWebhook: StopWebhook,
    private readonly crashPoints: CrashPoints,
  ) {}

  async record(delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
    const record = recordOf(delivery, outcome);
    if (outcome.status === GONE) await this.recordGone(delivery, record);
    else await new Promise<void>((resolve, reject) => this.records.add({ record, resolve, reject }));
    this.crashPoints.reached('after-webhook-record');
    webhookAttempts.publish({ result: resultOf(record) } satisfies WebhookAttempt);
  }

  /** The receiver wants no more: both or neither. */
  private recordGone({ webhookId }: ClaimedDelivery, record: AttemptRecord): Promise<void> {
    return this.sql.transaction(async (tx) => {
      await this.deliveries.record([record], tx);
      await this.stopWebhook.stop(webhookId, 'gone', tx);
    });
  }

  private async writeTogether(asked: readonly Asked[]): Promise<void> {
    try {
      await this.deliveries.record(asked.map(({ record }) => record));
      for (const { resolve } of asked) resolve();
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
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
