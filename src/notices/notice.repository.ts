import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql, type SqlTransaction } from '../database/sql';
import type { NoticeState } from './notices.entities';
import { type AnyKind, type Channel, CHANNELS, kindsOf, type NoticeItem, type Trouble } from './notice-kinds';
import type { ClaimedNotice, LowBalance, NoticeView, StoppedWebhook } from './notice.statements';
import * as statements from './notice.statements';

export type Choices = Readonly<Record<Channel, readonly AnyKind[]>>;

/** A look comes each minute; what it finds is put down in one transaction. */
const MOST_AT_ONCE = 1_000;

/** Tables `notice_marks`, `notice_deliveries` and `notice_choices`, and what notices read of others. */
@Injectable()
export class NoticeRepository {
  constructor(private readonly sql: Sql) {}

  /** Those of them that are to be told of now; no other look is told the same within the hour. */
  async mark(troubles: readonly Trouble[], tx: SqlTransaction): Promise<Trouble[]> {
    if (troubles.length === 0) return [];
    const rows = await tx.rows(statements.MARK, [
      uuid(),
      troubles.map(({ kind }) => kind),
      troubles.map(({ thing }) => thing),
      troubles.map(({ begunAt }) => begunAt),
      troubles.map(({ reminds }) => reminds),
    ]);
    const due = new Set(rows.filter(({ isDue }) => isDue).map(({ kind, thing }) => `${kind} ${thing}`));
    return troubles.filter(({ kind, thing }) => due.has(`${kind} ${thing}`));
  }

  async enqueue(channel: Channel, userId: string | null, items: readonly NoticeItem[], tx: SqlTransaction) {
    await tx.execute(statements.ENQUEUE, [uuid(), channel, userId, JSON.stringify(items)]);
  }

  async operators(): Promise<string[]> {
    return (await this.sql.rows(statements.OPERATORS)).map(({ email }) => email);
  }

  claim(channel: Channel, most: number): Promise<ClaimedNotice[]> {
    return this.sql.rows(statements.CLAIM, [channel, most]);
  }

  /** A claim that has ended is left as it is. */
  async record(
    { id, epoch }: ClaimedNotice,
    state: NoticeState,
    error: string | null,
    delayMs: number | null,
  ): Promise<void> {
    await this.sql.execute(statements.RECORD, [id, epoch, state, error, delayMs]);
  }

  latest(most: number): Promise<NoticeView[]> {
    return this.sql.rows(statements.LATEST, [most]);
  }

  /** Kinds that each channel sends: all, unless an operator has chosen otherwise. */
  async choices(): Promise<Choices> {
    const chosen = new Map((await this.sql.rows(statements.CHOICES)).map(({ channel, kinds }) => [channel, kinds]));
    return Object.fromEntries(
      CHANNELS.map((channel) => [channel, chosen.get(channel) ?? kindsOf(channel)]),
    ) as unknown as Choices;
  }

  async choose(channel: Channel, kinds: readonly AnyKind[], tx: SqlTransaction): Promise<void> {
    await tx.execute(statements.CHOOSE, [channel, kinds]);
  }

  lowBalances(): Promise<LowBalance[]> {
    return this.sql.rows(statements.LOW_BALANCES, [MOST_AT_ONCE]);
  }

  stoppedWebhooks(): Promise<StoppedWebhook[]> {
    return this.sql.rows(statements.STOPPED_WEBHOOKS);
  }

  /** `open`: the ways that are set up. */
  async deleteOld(open: readonly Channel[]): Promise<void> {
    await this.sql.execute(statements.DELETE_OLD, [open]);
    await this.sql.execute(statements.FORGET_MARKS);
  }
}
