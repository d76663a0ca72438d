import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain.error';
import { firstCharacters, storable } from '../common/text';
import { type Queryable, Sql, type SqlTransaction, type Statement } from '../database/sql';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { ActionOutcome } from './audit-entry.entity';

/** What acts without being asked. */
export type ActingService = 'reconciler';

/** Who acts, and from where. */
export interface Operator {
  /** null: somebody at the command line, known to the machine alone. */
  readonly id: string | null;
  /** Nobody: a part of the service acted of itself. */
  readonly service?: ActingService;
  readonly address: string;
}

type Facts = Record<string, unknown>;

/** What is about to be done, to whom or what. */
export interface Act {
  readonly action: string;
  readonly subject: string;
  /** All that is known of an act that is refused. */
  readonly asked?: Facts;
}

export interface Done<Result> {
  readonly result: Result;
  /** When only the work itself finds out whom it concerns. */
  readonly subject?: string;
  readonly before?: Facts;
  readonly after?: Facts;
}

interface Entry {
  readonly action: string;
  readonly subject: string;
  readonly outcome: ActionOutcome;
  readonly before?: Facts;
  readonly after?: Facts;
}

export interface AuditView {
  readonly id: bigint;
  readonly at: string;
  /** null: the command line, or a part of the service. */
  readonly actor: string | null;
  readonly service: ActingService | null;
  readonly address: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: ActionOutcome;
  readonly before: Facts | null;
  readonly after: Facts | null;
}

export interface AuditFilter {
  /** null: the command line. */
  readonly actorId?: string | null;
  readonly service?: ActingService;
  readonly subject?: string;
  readonly before?: bigint;
  readonly limit: number;
}

const INSERT: Statement = {
  name: 'audit-log-insert',
  text: `insert into audit_log (actor_id, service, address, action, subject, outcome, before, after)
         values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb)`,
};

/** What was typed for a name may be anything, and an index takes no long text. */
const LONGEST_SUBJECT = 300;

/** A refusal is written down with what was asked for, whatever that was: jsonb takes no NUL and no half of a pair. */
function asKept(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value;
}

/** Who did what, and what it changed. */
@Injectable()
export class AuditLog {
  constructor(private readonly sql: Sql) {}

  /** An operator's act and its entry in one transaction: both or neither. A refusal changes nothing and is written down too. */
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
      await this.append(operator, { action, subject, outcome: 'refused', after: { ...asked, reason: error.message } });
      throw error;
    }
  }

  /** For work that waits for the network, and so cannot be one transaction with its entry: one before it, one behind it. */
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
      const reason = error instanceof Error ? error.message : String(error);
      await this.append(operator, { action, subject, outcome: 'failed', after: { reason } });
      throw error;
    }
  }

  async append(operator: Operator, entry: Entry, session: Queryable = this.sql): Promise<void> {
    const { action, subject, outcome, before, after } = entry;
    const facts = [before, after].map((value) => (value ? JSON.stringify(value, asKept) : null));
    const { id, service = null, address } = operator;
    const about = storable(firstCharacters(subject, LONGEST_SUBJECT));
    await session.execute(INSERT, [id, service, address, action, about, outcome, ...facts]);
  }

  /** Newest first. */
  list({ actorId, service, subject, before, limit }: AuditFilter): Promise<AuditView[]> {
    const values: unknown[] = [limit];
    const where = ['true'];
    if (actorId) where.push(`l.actor_id = $${values.push(actorId)}`);
    if (actorId === null) where.push('l.actor_id is null and l.service is null');
    if (service) where.push(`l.service = $${values.push(service)}`);
    if (subject) where.push(`l.subject = $${values.push(subject)}`);
    if (before) where.push(`l.id < $${values.push(before)}`);
    const who = actorId === null ? '-command-line' : actorId && '-actor';
    const name = `audit-log-list${who ?? ''}${service ? '-service' : ''}${subject ? '-subject' : ''}${before ? '-before' : ''}`;
    const text = `select l.id, ${utcMicroseconds('l.at')} as at, u.email as actor, l.service, l.address, l.action, l.subject, l.outcome,
                         l.before, l.after
                    from audit_log l left join users u on u.id = l.actor_id
                   where ${where.join(' and ')} order by l.id desc limit $1`;
    return this.sql.rows<AuditView & Record<string, unknown>>({ name, text }, values);
  }
}
