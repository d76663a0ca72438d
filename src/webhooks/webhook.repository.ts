import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../database/sql';
import type { WebhookEvent } from './webhook-events';
import type { DisabledReason } from './webhooks.entities';
import type { LockedWebhook, WebhookRecord } from './webhook.statements';
import * as statements from './webhook.statements';

export interface NewWebhookRow {
  readonly id: string;
  readonly userId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[] | null;
  readonly secret: string;
}

export interface WebhookChange {
  readonly url?: string;
  /** null: all. */
  readonly events?: readonly WebhookEvent[] | null;
}

/** The table `webhooks`. With `ownerId`, another user's webhook reads as not there. */
@Injectable()
export class WebhookRepository {
  constructor(private readonly sql: Sql) {}

  /** Null when there is one with this id. */
  create({ id, userId, url, events, secret }: NewWebhookRow, tx: SqlTransaction): Promise<WebhookRecord | null> {
    return tx.row(statements.CREATE, [id, userId, url, events, secret]);
  }

  /** How their secrets are kept: by the id of the key, null for those that are not encrypted. */
  countSecrets(): Promise<{ key: string | null; webhooks: number }[]> {
    return this.sql.rows(statements.COUNT_SECRETS);
  }

  async countOfUser(userId: string, tx: SqlTransaction): Promise<number> {
    return Number((await tx.row(statements.COUNT_OF_USER, [userId]))!.webhooks);
  }

  async countOfNewcomers(network: string | null, tx: SqlTransaction): Promise<number> {
    return Number((await tx.row(statements.COUNT_OF_NEWCOMERS, [network]))!.webhooks);
  }

  list(userId: string): Promise<WebhookRecord[]> {
    return this.sql.rows(statements.LIST, [userId]);
  }

  find(id: string, ownerId?: string): Promise<WebhookRecord | null> {
    return this.sql.row(statements.FIND, [id, ownerId]);
  }

  lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedWebhook | null> {
    return tx.row(statements.LOCK, [id, ownerId]);
  }

  async update(id: string, { url, events }: WebhookChange, tx: SqlTransaction): Promise<WebhookRecord> {
    return (await tx.row(statements.UPDATE, [id, url, events, events !== undefined]))!;
  }

  async enable(id: string, tx: SqlTransaction): Promise<WebhookRecord> {
    return (await tx.row(statements.ENABLE, [id]))!;
  }

  /** With the e-mail address of its user; null unless it was active. */
  disable(id: string, reason: DisabledReason, tx: SqlTransaction): Promise<(WebhookRecord & { owner: string }) | null> {
    return tx.row(statements.DISABLE, [id, reason]);
  }

  /** Active ones without a success in five days. */
  async failingTooLong(): Promise<string[]> {
    return (await this.sql.rows(statements.FIND_FAILING)).map(({ id }) => id);
  }

  /** Null when `mostPrevious` secrets before it still sign. */
  rotate(id: string, secret: string, mostPrevious: number, tx: SqlTransaction): Promise<WebhookRecord | null> {
    return tx.row(statements.ROTATE, [id, secret, mostPrevious]);
  }

  async remove(id: string, tx: SqlTransaction): Promise<void> {
    await tx.execute(statements.REMOVE, [id]);
  }

  async forgetPreviousSecrets(): Promise<void> {
    await this.sql.execute(statements.FORGET_PREVIOUS);
  }

  async deleteRemoved(): Promise<void> {
    await this.sql.execute(statements.DELETE_REMOVED);
  }

  /** Those that the service itself has disabled. */
  async countStopped(userId: string): Promise<number> {
    return (await this.sql.row(statements.COUNT_STOPPED, [userId]))!.stopped;
  }
}
