import { Injectable } from '@nestjs/common';
import { v4 as uuid } from 'uuid';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import type { DeliveryState } from '../webhooks.entities';
import type { ClaimedDelivery, ClaimParams, DeliveryView, ListedDelivery, SentDelivery } from './delivery.statements';
import * as statements from './delivery.statements';
import type { AttemptOutcome } from './webhook-client';

/** What an attempt means for its delivery. */
export interface AttemptRecord {
  readonly claim: Pick<ClaimedDelivery, 'id' | 'epoch'>;
  readonly outcome: AttemptOutcome;
  readonly state: DeliveryState;
  /** Until the next attempt; null unless it is pending. */
  readonly delayMs: number | null;
}

export interface DeliveryPage {
  readonly before?: string | null;
  readonly limit?: number | null;
  /** Null: of every state. */
  readonly state?: DeliveryState | null;
}

const MOST_DELETED = 5_000;

/** The tables `webhook_deliveries` and `webhook_events`. */
@Injectable()
export class DeliveryRepository {
  constructor(private readonly sql: Sql) {}

  claim(params: ClaimParams): Promise<ClaimedDelivery[]> {
    return this.sql.rows(statements.CLAIM, params);
  }

  /** Null when there were too many of the webhook in the last minute. */
  createTest(webhookId: string, body: string, mostAMinute: number): Promise<ClaimedDelivery | null> {
    return this.sql.row(statements.CREATE_TEST, [uuid(), webhookId, body, mostAMinute]);
  }

  /** Those whose claim had ended are left as they are. */
  async record(records: readonly AttemptRecord[], db: Queryable = this.sql): Promise<void> {
    await db.rows(statements.RECORD, [
      records.map(({ claim }) => claim.id),
      records.map(({ claim }) => claim.epoch),
      records.map(({ state }) => state),
      records.map(({ outcome }) => outcome.status),
      records.map(({ outcome }) => outcome.reason),
      records.map(({ outcome }) => outcome.tookMs),
      records.map(({ delayMs }) => delayMs),
    ]);
  }

  async giveBack(claims: readonly Pick<ClaimedDelivery, 'id' | 'epoch'>[], delayMs = 0): Promise<void> {
    await this.sql.execute(statements.GIVE_BACK, [
      claims.map(({ id }) => id),
      claims.map(({ epoch }) => epoch),
      delayMs,
    ]);
  }

  /** Newest first. */
  page(webhookId: string, { before = null, limit = null, state }: DeliveryPage = {}): Promise<ListedDelivery[]> {
    return this.sql.rows(state ? statements.PAGE_OF[state] : statements.PAGE, [webhookId, before, limit]);
  }

  /** Null when the webhook has none of that id. */
  async find(id: string, webhookId: string): Promise<SentDelivery | null> {
    return this.sql.row(statements.FIND, [id, webhookId]);
  }

  async countFailed(webhookId: string, most: number): Promise<number> {
    return (await this.sql.row(statements.COUNT_FAILED, [webhookId, most]))!.failed;
  }

  /** How many of those that failed are sent again. */
  replayFailed(webhookId: string, byItsUser: boolean, most: number, tx: SqlTransaction): Promise<number> {
    return tx.execute(statements.REPLAY_FAILED, [webhookId, byItsUser, most]);
  }

  /** The webhook of a delivery; null when there is none, or with `ownerId` when it is another user's. */
  async findWebhookId(id: string, ownerId?: string): Promise<string | null> {
    return (await this.sql.row(statements.FIND_WEBHOOK, [id, ownerId]))?.webhookId ?? null;
  }

  async replay(id: string, byItsUser: boolean, tx: SqlTransaction): Promise<DeliveryView | null> {
    return tx.row(statements.REPLAY, [id, byItsUser]);
  }

  /** Those of the webhooks that have something to be sent. */
  async withPending(webhookIds: readonly string[]): Promise<Set<string>> {
    if (webhookIds.length === 0) return new Set();
    return new Set((await this.sql.rows(statements.WITH_PENDING, [webhookIds])).map(({ id }) => id));
  }

  async deleteOld(): Promise<void> {
    while ((await this.sql.execute(statements.DELETE_OLD, [MOST_DELETED])) >= MOST_DELETED);
    while ((await this.sql.execute(statements.DELETE_UNUSED_EVENTS, [MOST_DELETED])) >= MOST_DELETED);
  }

  async endLongWaits(): Promise<void> {
    await this.sql.execute(statements.END_LONG_WAITS);
  }
}
