import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import type { ActingService } from './audit-entry.entity';
import {
  AuditEntryRepository,
  type AuditFilter,
  type AuditView,
  type Facts,
  type IdRange,
  type NewAuditEntry,
} from './audit-entry.repository';
import type { Subject } from './subjects';

export type { AuditFilter, AuditView, Facts } from './audit-entry.repository';

/** The operator who acts, and from where. */
export interface Operator {
  /** null: somebody at the command line, whom only the machine knows. */
  readonly id: string | null;
  /** Set when a part of the service acted of itself. */
  readonly service?: ActingService;
  readonly address: string;
}

/** What an operator is about to do, to which subject. */
export interface Act {
  readonly action: string;
  readonly subject: Subject;
  /** What was asked for, with the operator's own words: the only facts of an act that is refused, besides why (`refused`). */
  readonly asked?: Facts;
}

type Entry = Omit<NewAuditEntry, 'actorId' | 'service' | 'address'>;

export interface Done<Result> {
  readonly result: Result;
  /** Instead of the act's, where only the work itself finds out whom it concerns. */
  readonly subject?: Subject;
  readonly before?: Facts;
  readonly after?: Facts;
}

/** Keeps who did what, and what it changed. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly sql: Sql,
    private readonly entries: AuditEntryRepository,
  ) {}

  /** An operator's act and its entry in one transaction: both or neither. A refused act changes nothing and gets an entry too. */
  async record<Result>(
    operator: Operator,
    { action, subject, asked }: Act,
    work: (tx: SqlTransaction) => Promise<Done<Result>>,
  ): Promise<Result> {
    try {
      return await this.sql.transaction(async (tx) => {
        const { result, ...facts } = await work(tx);
        await this.append(operator, { action, subject, outcome: 'done', after: asked, ...facts }, tx);
        return result;
      });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.append(operator, { action, subject, outcome: 'refused', after: { ...asked, refused: error.message } });
      throw error;
    }
  }

  /** For work that waits for the network and so cannot share a transaction with its entry: one entry before it, one after it. */
  async recordAround<Result>(
    operator: Operator,
    { action, subject }: Act,
    work: () => Promise<Done<Result>>,
  ): Promise<Result> {
    await this.append(operator, { action, subject, outcome: 'begun' });
    try {
      const { result, ...facts } = await work();
      await this.append(operator, { action, subject, outcome: 'done', ...facts });
      return result;
    } catch (error) {
      const failed = error instanceof Error ? error.message : String(error);
      await this.append(operator, { action, subject, outcome: 'failed', after: { failed } });
      throw error;
    }
  }

  async append(operator: Operator, entry: Entry, db?: Queryable): Promise<void> {
    const { id: actorId, service = null, address } = operator;
    await this.entries.append({ ...entry, actorId, service, address }, db);
  }

  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditView[]> {
    return this.entries.list(filter);
  }

  /** For many pages of one range. */
  idsBetween(filter: Pick<AuditFilter, 'from' | 'to'>): Promise<IdRange | undefined> {
    return this.entries.idsBetween(filter);
  }
}
