import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { Sql, type SqlTransaction } from '../database/sql';
import { WebhookRepository } from './webhook.repository';

/** No operator asked for it: the address tells a reader of the log which instance it was. */
const WEBHOOKS: Operator = { id: null, service: 'webhooks', address: hostname() };

/** A webhook that the service itself disables, with its entry in the audit log; the panel says so to its user on every page. */
@Injectable()
export class StopWebhook {
  constructor(
    private readonly sql: Sql,
    private readonly webhooks: WebhookRepository,
    private readonly auditLog: AuditLog,
  ) {}

  /** Those that have had no success for five days. */
  async stopFailing(): Promise<void> {
    for (const id of await this.webhooks.failingTooLong()) {
      await this.sql.transaction((tx) => this.stop(id, 'failing', tx));
    }
  }

  /** Nothing when it was disabled before, nor when it has had a success since it was found failing. */
  async stop(id: string, reason: 'gone' | 'failing', tx: SqlTransaction): Promise<void> {
    const stopped = await this.webhooks.disable(id, reason, tx);
    if (stopped === null) return;
    const after = { id, reason };
    const entry = { action: 'webhook.disable', subject: `user ${stopped.owner}`, outcome: 'done', after } as const;
    await this.auditLog.append(WEBHOOKS, entry, tx);
  }
}
