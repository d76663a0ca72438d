import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type Act, AuditLog, type Operator } from '../audit-log/audit-log';
import { DomainError } from '../common/errors/domain.error';
import type { SqlTransaction } from '../database/sql';
import { MailOutbox } from '../mail/mail-outbox';
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

/** As a form showed it; null: all events. */
export interface SeenWebhook {
  readonly url: string;
  readonly events: readonly string[] | null;
}

/** A customer who acts on their own webhooks: another user's read as not found. */
export interface WebhookOwner {
  readonly id: string;
  readonly email: string;
}

/** What operators do to the webhooks of users, and users to their own, each act in one transaction with its entry in the audit log. */
@Injectable()
export class WebhookAdminService {
  constructor(
    private readonly users: UserService,
    private readonly webhooks: WebhookService,
    private readonly deliveries: WebhookDeliveries,
    private readonly auditLog: AuditLog,
    private readonly outbox: MailOutbox,
  ) {}

  add(
    operator: Operator,
    email: string,
    { id, url, events }: WebhookChanges & { readonly id?: string },
  ): Promise<CreatedWebhook> {
    const asked = { host: hostOf(url), events };
    const act = { action: 'webhook.add', subject: userSubject(email), asked };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id: userId } = await this.users.lock(email, tx);
      const result = await this.webhooks.create({ id, userId, url: url!, events: events ?? undefined }, tx);
      await this.tellAddress(userId, result.webhook, tx);
      return { result, after: { id: result.webhook.id, ...shown(result.webhook) } };
    });
  }

  /** With `seen`, refuses to overwrite what was changed since. */
  update(
    operator: Operator,
    id: string,
    { url, events, state }: WebhookChanges,
    owner?: WebhookOwner,
    seen?: SeenWebhook,
  ): Promise<WebhookRecord> {
    const act = { action: 'webhook.update', asked: { host: hostOf(url), events, state } };
    return this.change({ operator, id, owner }, act, async (before, tx) => {
      if (seen) refuseOnStale({ url, events }, seen, before);
      let result = before;
      if (url !== undefined || events !== undefined) {
        result = await this.webhooks.update(id, { url, events }, undefined, tx);
        if (result.url !== before.url) await this.tellAddress(result.userId, result, tx);
      }
      if (state === 'disabled') result = await this.webhooks.disable(id, undefined, tx);
      if (state === 'active') result = await this.webhooks.enable(id, undefined, tx);
      return { result, before: shown(before), after: { id, ...shown(result) } };
    });
  }

  /** The new secret; the one so far signs for another day. */
  rotate(operator: Operator, id: string, owner?: WebhookOwner): Promise<string> {
    return this.change({ operator, id, owner }, { action: 'webhook.rotate' }, async (_, tx) => ({
      result: await this.webhooks.rotate(id, undefined, tx),
      after: { id },
    }));
  }

  remove(operator: Operator, id: string, owner?: WebhookOwner): Promise<void> {
    return this.change({ operator, id, owner }, { action: 'webhook.remove' }, async (before, tx) => ({
      result: await this.webhooks.remove(id, undefined, tx),
      before: { id, ...shown(before) },
    }));
  }

  async test(operator: Operator, id: string, owner?: WebhookOwner): Promise<AttemptOutcome> {
    const subject = owner ? userSubject(owner.email) : `webhook ${id}`;
    return this.auditLog.recordAround(operator, { action: 'webhook.test', subject }, async () => {
      const result = await this.deliveries.test(id, owner?.id);
      return { result, after: { id, status: result.status, ms: result.tookMs } };
    });
  }

  replay(operator: Operator, deliveryId: string, owner?: WebhookOwner): Promise<DeliveryView> {
    const subject = owner ? userSubject(owner.email) : `delivery ${deliveryId}`;
    return this.auditLog.record(operator, { action: 'webhook.replay', subject }, async (tx) => ({
      result: await this.deliveries.replay(deliveryId, owner?.id, tx),
      after: { delivery: deliveryId },
    }));
  }

  /** How many: those that another call sends again already are not among them. */
  replayFailed(operator: Operator, id: string, owner?: WebhookOwner): Promise<number> {
    return this.change({ operator, id, owner }, { action: 'webhook.replay-failed' }, async (_, tx) => {
      const result = await this.deliveries.replayFailed(id, owner?.id, tx);
      return { result, after: { id, deliveries: result } };
    });
  }

  /** Where a customer's events go: only the host, for the rest may be a secret. */
  private tellAddress(userId: string, { url }: WebhookRecord, tx: SqlTransaction): Promise<void> {
    return this.outbox.tell(userId, 'webhook_address', { host: hostOf(url)! }, tx);
  }

  /** Filed under its user, once that is known. */
  private change<Result>(
    { operator, id, owner: own }: { readonly operator: Operator; readonly id: string; readonly owner?: WebhookOwner },
    act: Pick<Act, 'action' | 'asked'>,
    work: (before: WebhookRecord, tx: SqlTransaction) => Promise<{ result: Result; before?: object; after?: object }>,
  ): Promise<Result> {
    return this.auditLog.record(operator, { ...act, subject: `webhook ${id}` }, async (tx) => {
      const { owner, ...webhook } = await this.webhooks.lock(id, own?.id, tx);
      const { result, before, after } = await work(webhook, tx);
      return { result, subject: userSubject(owner), before: { ...before }, after: { ...after } };
    });
  }
}

function refuseOnStale({ url, events }: WebhookChanges, seen: SeenWebhook, now: WebhookRecord): void {
  if (url !== undefined && now.url !== seen.url && now.url !== url) throw new DomainError('webhook.url-changed');
  const isOther = events !== undefined && !isSameChoice(now.events, seen.events);
  if (isOther && !isSameChoice(now.events, events)) throw new DomainError('webhook.events-changed');
}

/** Null: all. Whatever their order. */
export function isSameChoice(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return isDeepStrictEqual(one && new Set(one), other && new Set(other));
}

/** A path or a query may hold what is secret to the user. */
function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (URL.parse(url)?.host ?? 'no URL');
}

function shown({ url, events, state }: WebhookRecord) {
  return { host: hostOf(url), events: events ?? 'all', state };
}
