import { Injectable } from '@nestjs/common';
import { type Act, AuditLog, type Operator } from '../audit-log/audit-log';
import type { SqlTransaction } from '../database/sql';
import { UserService } from '../users/user.service';
import { type AttemptOutcome, type DeliveryView, WebhookDeliveries } from '../webhooks/webhook-deliveries';
import { type CreatedWebhook, type WebhookRecord, WebhookService } from '../webhooks/webhook.service';
import { userSubject } from '../audit-log/subjects';

export interface WebhookChanges {
  readonly url?: string;
  /** null: all. */
  readonly events?: readonly string[] | null;
  readonly state?: 'active' | 'disabled';
}

/** What operators do to the webhooks of users, each act in one transaction with its entry in the audit log. */
@Injectable()
export class WebhookAdminService {
  constructor(
    private readonly users: UserService,
    private readonly webhooks: WebhookService,
    private readonly deliveries: WebhookDeliveries,
    private readonly auditLog: AuditLog,
  ) {}

  add(operator: Operator, email: string, { url, events }: WebhookChanges): Promise<CreatedWebhook> {
    const asked = { host: hostOf(url), events };
    const act = { action: 'webhook.add', subject: userSubject(email), asked };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id: userId } = await this.users.lock(email, tx);
      const result = await this.webhooks.create({ userId, url: url!, events: events ?? undefined }, tx);
      return { result, after: { id: result.webhook.id, ...shown(result.webhook) } };
    });
  }

  update(operator: Operator, id: string, { url, events, state }: WebhookChanges): Promise<WebhookRecord> {
    const asked = { host: hostOf(url), events, state };
    return this.change(operator, id, { action: 'webhook.update', asked }, async (before, tx) => {
      let result = before;
      if (url !== undefined || events !== undefined) {
        result = await this.webhooks.update(id, { url, events }, undefined, tx);
      }
      if (state === 'disabled') result = await this.webhooks.disable(id, undefined, tx);
      if (state === 'active') result = await this.webhooks.enable(id, undefined, tx);
      return { result, before: shown(before), after: { id, ...shown(result) } };
    });
  }

  /** The new secret; the one so far signs for another day. */
  rotate(operator: Operator, id: string): Promise<string> {
    return this.change(operator, id, { action: 'webhook.rotate' }, async (_, tx) => ({
      result: await this.webhooks.rotate(id, undefined, tx),
      after: { id },
    }));
  }

  remove(operator: Operator, id: string): Promise<void> {
    return this.change(operator, id, { action: 'webhook.remove' }, async (before, tx) => ({
      result: await this.webhooks.remove(id, undefined, tx),
      before: { id, ...shown(before) },
    }));
  }

  test(operator: Operator, id: string): Promise<AttemptOutcome> {
    return this.auditLog.recordAround(operator, { action: 'webhook.test', subject: `webhook ${id}` }, async () => {
      const result = await this.deliveries.test(id);
      return { result, after: { status: result.status, ms: result.tookMs } };
    });
  }

  replay(operator: Operator, deliveryId: string): Promise<DeliveryView> {
    const act = { action: 'webhook.replay', subject: `delivery ${deliveryId}` };
    return this.auditLog.record(operator, act, async (tx) => ({
      result: await this.deliveries.replay(deliveryId, undefined, tx),
    }));
  }

  /** Filed under its user, once that is known. */
  private change<Result>(
    operator: Operator,
    id: string,
    act: Pick<Act, 'action' | 'asked'>,
    work: (before: WebhookRecord, tx: SqlTransaction) => Promise<{ result: Result; before?: object; after?: object }>,
  ): Promise<Result> {
    return this.auditLog.record(operator, { ...act, subject: `webhook ${id}` }, async (tx) => {
      const { owner, ...webhook } = await this.webhooks.lock(id, undefined, tx);
      const { result, before, after } = await work(webhook, tx);
      return { result, subject: userSubject(owner), before: { ...before }, after: { ...after } };
    });
  }
}

/** A path or a query may hold what is secret to the user. */
function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (URL.parse(url)?.host ?? 'no URL');
}

function shown({ url, events, state }: WebhookRecord) {
  return { host: hostOf(url), events: events ?? 'all', state };
}
