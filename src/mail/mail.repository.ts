import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { wideNetworkOf } from '../common/http/client-ip';
import { mailboxOf } from '../users/mailbox';
import type { ClaimedMail, LimitReached, MailBacklog, MailView } from './mail.statements';
import * as statements from './mail.statements';
import type { MailState } from './mails.entities';

export interface MailRow {
  readonly kind: string;
  readonly address: string;
  readonly language: string | null;
  readonly facts: object;
  readonly linkFor: string | null;
}

/** Table `mails`. */
@Injectable()
export class MailRepository {
  constructor(private readonly sql: Sql) {}

  /** Which limit of the hour was reached, so that the mail is dropped; null: it is written. */
  async ask(mail: MailRow, network: string, state: MailState, tx: SqlTransaction): Promise<LimitReached | null> {
    const { kind, address, language, facts, linkFor } = mail;
    const wide = wideNetworkOf(network);
    const from = [network, wide].flatMap((one) => (one === null ? [] : [`from ${one}`]));
    await tx.execute(statements.LOCK_COUNTS, [[...from, `to ${mailboxOf(address)}`]]);
    const stored = [JSON.stringify(facts), linkFor, state] as const;
    const written = await tx.execute(statements.ASK, [uuid(), kind, address, network, wide, language, ...stored]);
    return written > 0 ? null : ((await this.limitReached(kind, network, address, tx)) ?? 'total');
  }

  /** The limit of the network or of the mailbox. A look beforehand: the next one may take the last place meanwhile. */
  async limitReached(
    kind: string,
    network: string,
    address: string,
    db: Queryable = this.sql,
  ): Promise<LimitReached | null> {
    return (await db.row(statements.LIMIT_REACHED, [kind, network, wideNetworkOf(network), address]))!.reached;
  }

  async send({ kind, address, language, facts, linkFor }: MailRow, tx: SqlTransaction): Promise<void> {
    await tx.execute(statements.SEND, [uuid(), kind, address, language, JSON.stringify(facts), linkFor]);
  }

  /** False when the user was told of so many. */
  async tell(
    userId: string,
    { kind, facts, linkFor }: Pick<MailRow, 'kind' | 'facts' | 'linkFor'>,
    limited: boolean,
    tx: SqlTransaction,
  ): Promise<boolean> {
    return (await tx.execute(statements.TELL, [uuid(), kind, userId, JSON.stringify(facts), linkFor, limited])) > 0;
  }

  claim(most: number): Promise<ClaimedMail[]> {
    return this.sql.rows(statements.CLAIM, [most]);
  }

  /** A claim that has ended is left as it is. */
  async record(
    { id, epoch }: ClaimedMail,
    state: MailState,
    error: string | null,
    delayMs: number | null,
  ): Promise<void> {
    await this.sql.execute(statements.RECORD, [id, epoch, state, error, delayMs]);
  }

  /** None of those that wait is sent. Returns how many waited. */
  voidPending(tx: SqlTransaction): Promise<number> {
    return tx.execute(statements.VOID_PENDING);
  }

  latest(most: number): Promise<MailView[]> {
    return this.sql.rows(statements.LATEST, [most]);
  }

  /** What waits, and what was given up lately. */
  async backlog(): Promise<MailBacklog> {
    return (await this.sql.row(statements.BACKLOG))!;
  }

  /** A day after their end: what mails said, and those that did not arrive; all after 30 days. */
  async deleteOld(): Promise<void> {
    await this.sql.execute(statements.DELETE_OLD);
    await this.sql.execute(statements.FORGET_CONTENT);
  }
}
