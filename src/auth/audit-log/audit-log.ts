import { Injectable, Logger } from '@nestjs/common';
import { RefusalError } from '../../common/refusal.error';
import { Sql, type Statement } from '../../database/sql';
import { utcMicroseconds } from '../../database/utc-timestamp';
import type { ActionOutcome } from './audit-entry.entity';

export interface Operator {
  readonly id: string;
  readonly address: string;
}

export interface AuditView {
  readonly id: bigint;
  readonly at: string;
  readonly actor: string;
  readonly address: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: ActionOutcome;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

export interface AuditFilter {
  readonly actorId?: string;
  readonly subject?: string;
  readonly before?: bigint;
  readonly limit: number;
}

type Facts = Record<string, unknown>;

const INSERT: Statement = {
  name: 'audit-log-insert',
  text: `insert into audit_log (actor_id, address, action, subject, outcome, before, after)
         values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb)`,
};

/** Who did what, and what it changed. */
@Injectable()
export class AuditLog {
  private readonly logger = new Logger(AuditLog.name);

  constructor(private readonly sql: Sql) {}

  /** Runs an operator's action and writes down what it came to, a refusal included. `work` returns what is true afterwards. */
  async record<Result>(
    operator: Operator,
    act: { readonly action: string; readonly subject: string; readonly before?: Facts; readonly asked?: Facts },
    work: () => Promise<{ readonly result: Result; readonly after?: Facts }>,
  ): Promise<Result> {
    const { action, subject, before } = act;
    try {
      const { result, after } = await work();
      await this.append(operator, action, subject, 'done', before, after ?? act.asked);
      return result;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      await this.append(operator, action, subject, 'refused', before, { ...act.asked, reason: error.message });
      throw error;
    }
  }

  /** Newest first. */
  list({ actorId, subject, before, limit }: AuditFilter): Promise<AuditView[]> {
    const values: unknown[] = [limit];
    const where = ['true'];
    if (actorId) where.push(`l.actor_id = $${values.push(actorId)}`);
    if (subject) where.push(`l.subject = $${values.push(subject)}`);
    if (before) where.push(`l.id < $${values.push(before)}`);
    const name = `audit-log-list${actorId ? '-actor' : ''}${subject ? '-subject' : ''}${before ? '-before' : ''}`;
    const text = `select l.id, ${utcMicroseconds('l.at')} as at, u.email as actor, l.address, l.action, l.subject, l.outcome,
                         l.before, l.after
                    from audit_log l join users u on u.id = l.actor_id
                   where ${where.join(' and ')} order by l.id desc limit $1`;
    return this.sql.rows<AuditView & Record<string, unknown>>({ name, text }, values);
  }

  private async append(
    { id, address }: Operator,
    action: string,
    subject: string,
    outcome: ActionOutcome,
    before?: Facts,
    after?: Facts,
  ): Promise<void> {
    const facts = [before, after].map((value) => (value ? JSON.stringify(value) : null));
    try {
      await this.sql.execute(INSERT, [id, address, action, subject, outcome, ...facts]);
    } catch (error) {
      // The action is done: the one trace that is left of it must not be lost with the database.
      this.logger.error(
        { operator: id, action, subject, outcome, before, after, err: error },
        'An action is not in the audit log',
      );
      throw error;
    }
  }
}
