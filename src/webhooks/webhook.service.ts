import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid, validate as isUuid } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { DomainError, InvalidValueError, MissingError } from '../common/errors/domain.error';
import { SecretCipher } from '../common/secret-cipher';
import { Sql, type SqlTransaction } from '../database/sql';
import { Newcomers } from '../users/newcomers';
import { UserRepository } from '../users/user.repository';
import { mintSecret, secretText } from './signature';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events';
import { checkWebhookUrl } from './webhook-url';
import { type WebhookChange, WebhookRepository } from './webhook.repository';
import type { LockedWebhook, WebhookRecord } from './webhook.statements';

export type { LockedWebhook, WebhookRecord } from './webhook.statements';

/** For one account: each event is written once for each of them. */
export const MOST_OF_USER = 100;
/** For an account that has signed up by itself and paid for nothing yet, and for all such accounts of one network. */
export const MOST_OF_NEWCOMER = 5;
export const MOST_OF_NEWCOMERS = { network: 20, wide: 80, all: 1_000 } as const;
/** Each is one more signature in the header. */
const MOST_PREVIOUS = 5;

export interface NewWebhook {
  /** The caller's own name for it: the same one twice makes one webhook. */
  readonly id?: string;
  readonly userId: string;
  readonly url: string;
  /** Left out: all. */
  readonly events?: readonly string[];
}

export interface CreatedWebhook {
  readonly webhook: WebhookRecord;
  /** Shown once. */
  readonly secret: string;
}

/** With `ownerId`, another user's webhook reads as not found. Each change may be part of the caller's transaction. */
@Injectable()
export class WebhookService {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly webhooks: WebhookRepository,
    private readonly users: UserRepository,
    private readonly cipher: SecretCipher,
    private readonly newcomers: Newcomers,
  ) {}

  /** @throws DomainError also when a webhook was made with this id before: its secret was shown then. */
  async create({ id = uuid(), userId, events, ...asked }: NewWebhook, tx?: SqlTransaction): Promise<CreatedWebhook> {
    const url = this.checkUrl(asked.url);
    const wanted = events === undefined ? null : checkEvents(events);
    const secret = mintSecret();
    const webhook = await this.sql.within(tx, async (within) => {
      // Locks the user: of two at the same time, one is counted first.
      await this.users.holdEnabled(userId, within);
      const own = await this.webhooks.countOfUser(userId, within);
      await this.refuseNewcomer(userId, own, within);
      const isFull = own >= MOST_OF_USER;
      const row = { id, userId, url, events: wanted, secret: this.cipher.seal(id, secret) };
      const created = isFull ? null : await this.webhooks.create(row, within);
      if (created) return created;
      throw isFull
        ? new DomainError('webhook.too-many', { most: MOST_OF_USER })
        : new DomainError('webhook.created-before');
    });
    return { webhook, secret: secretText(secret) };
  }

  list(userId: string): Promise<WebhookRecord[]> {
    return this.webhooks.list(userId);
  }

  async get(id: string, ownerId?: string): Promise<WebhookRecord> {
    return (isUuid(id) ? await this.webhooks.find(id, ownerId) : null) ?? missing(id);
  }

  /** Until the transaction ends, no other one changes what this returns. */
  async lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedWebhook> {
    return (isUuid(id) ? await this.webhooks.lock(id, ownerId, tx) : null) ?? missing(id);
  }

  update(
    id: string,
    change: { readonly url?: string; readonly events?: readonly string[] | null },
    ownerId?: string,
    tx?: SqlTransaction,
  ): Promise<WebhookRecord> {
    const { url, events } = change;
    const checked: WebhookChange = {
      url: url === undefined ? undefined : this.checkUrl(url),
      events: events ? checkEvents(events) : events,
    };
    return this.locked(id, ownerId, tx, (_, within) => this.webhooks.update(id, checked, within));
  }

  /** Events that become true while it is disabled are not written for it; those that wait for it go on waiting. */
  disable(id: string, ownerId?: string, tx?: SqlTransaction): Promise<WebhookRecord> {
    return this.locked(id, ownerId, tx, async (webhook, within) =>
      webhook.state === 'disabled' ? webhook : (await this.webhooks.disable(id, 'asked', within))!,
    );
  }

  enable(id: string, ownerId?: string, tx?: SqlTransaction): Promise<WebhookRecord> {
    return this.locked(id, ownerId, tx, async (webhook, within) =>
      webhook.state === 'active' ? webhook : this.webhooks.enable(id, within),
    );
  }

  /** Signs with the secret so far too, for another day. Returns the new one, which is shown once. */
  rotate(id: string, ownerId?: string, tx?: SqlTransaction): Promise<string> {
    const secret = mintSecret();
    return this.locked(id, ownerId, tx, async (webhook, within) => {
      const rotated = await this.webhooks.rotate(
        webhook.id,
        this.cipher.seal(webhook.id, secret),
        MOST_PREVIOUS,
        within,
      );
      if (!rotated) throw new DomainError('webhook.rotated-too-often', { most: MOST_PREVIOUS });
      return secretText(secret);
    });
  }

  /** Nothing more is sent to it, and its deliveries are deleted. */
  remove(id: string, ownerId?: string, tx?: SqlTransaction): Promise<void> {
    return this.locked(id, ownerId, tx, (_, within) => this.webhooks.remove(id, within));
  }

  /** Those that the service itself has disabled. */
  countStopped(userId: string): Promise<number> {
    return this.webhooks.countStopped(userId);
  }

  /** @throws DomainError */
  private async refuseNewcomer(userId: string, own: number, tx: SqlTransaction): Promise<void> {
    const limits = await this.newcomers.limitsOf(userId, MOST_OF_NEWCOMERS, tx);
    for (const limit of limits) {
      await this.newcomers.hold('webhooks', limit, tx);
      const isFull = own >= MOST_OF_NEWCOMER || (await this.webhooks.countOfNewcomers(limit.network, tx)) >= limit.most;
      const together = MOST_OF_NEWCOMERS.network;
      if (isFull) throw new DomainError('webhook.newcomer', { most: MOST_OF_NEWCOMER, together });
    }
  }

  private locked<T>(
    id: string,
    ownerId: string | undefined,
    tx: SqlTransaction | undefined,
    work: (webhook: LockedWebhook, tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    return this.sql.within(tx, async (within) => work(await this.lock(id, ownerId, within), within));
  }

  private checkUrl(url: string): string {
    return checkWebhookUrl(url, this.configuration.webhooks.allowPrivate);
  }
}

function missing(id: string): never {
  throw new MissingError('webhook.not-found', { id });
}

export function checkEvents(events: readonly string[]): WebhookEvent[] {
  const known = WEBHOOK_EVENTS.filter((event) => events.includes(event));
  if (known.length > 0 && events.every((event) => known.includes(event as WebhookEvent))) return known;
  throw new InvalidValueError('webhook.events-invalid', { events: WEBHOOK_EVENTS });
}
