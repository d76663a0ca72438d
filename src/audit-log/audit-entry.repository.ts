import { Injectable } from '@nestjs/common';
import { firstCharacters, storable } from '../common/text';
import { type Queryable, Sql } from '../database/sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { ActingService, ActionOutcome } from './audit-entry.entity';
import type { Subject } from './subjects';

export type Facts = Record<string, unknown>;

export interface NewEntry {
  readonly actorId: string | null;
  readonly service: ActingService | null;
  readonly address: string;
  readonly action: string;
  readonly subject: Subject;
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
  /** Of a user, with the address of today. */
  readonly subject: string;
  /** As it is written down. */
  readonly subject_key: string;
  readonly outcome: ActionOutcome;
  readonly before: Facts | null;
  readonly after: Facts | null;
}

export interface AuditFilter {
  /** null: the command line. */
  readonly actorId?: string | null;
  readonly service?: ActingService;
  /** A user by address or id. */
  readonly subject?: string;
  /** From then on, and before then. */
  readonly from?: Date | null;
  readonly to?: Date | null;
  readonly before?: bigint;
  readonly limit: number;
}

const APPEND = statement<
  [
    actorId: string | null,
    service: ActingService | null,
    address: string,
    action: string,
    subject: string,
    outcome: ActionOutcome,
    before: string | null,
    after: string | null,
    userEmail: string | null,
  ]
>(
  'audit-log-insert',
  `insert into audit_log (actor_id, service, address, action, subject, outcome, before, after)
         values ($1, $2, $3, $4, coalesce((select 'user ' || u.id from users u where u.email = $9), $5), $6, $7::jsonb, $8::jsonb)`,
);

/** More than the time between the number and the clock of an entry: both are taken in one transaction. */
const MARGIN = `interval '10 minutes'`;

/** A subject may be any text that was typed for a name, and an index takes no long one. */
const LONGEST_SUBJECT = 300;

/** Table `audit_log`: append-only. */
@Injectable()
export class AuditEntryRepository {
  constructor(private readonly sql: Sql) {}

  async append(entry: NewEntry, db: Queryable = this.sql): Promise<void> {
    const { actorId, service, address, action, outcome } = entry;
    const userEmail = typeof entry.subject === 'string' ? null : kept(entry.subject.userEmail);
    const subject = userEmail === null ? kept(entry.subject as string) : kept(`user ${userEmail}`);
    const [before, after] = [jsonOf(entry.before), jsonOf(entry.after)];
    await db.execute(APPEND, [actorId, service, address, action, subject, outcome, before, after, userEmail]);
  }

  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditView[]> {
    const { values, ...query } = listQuery(filter);
    return this.sql.rows(statement<readonly unknown[], AuditView>(query.name, query.text), values);
  }
}

/** A statement for each combination of filters: one for all of them would keep the planner from using their indexes. */
function listQuery({ actorId, service, subject, from, to, before, limit }: AuditFilter) {
  const values: unknown[] = [limit];
  const where = ['true'];
  if (actorId) where.push(`l.actor_id = $${values.push(actorId)}`);
  if (actorId === null) where.push('l.actor_id is null and l.service is null');
  if (service) where.push(`l.service = $${values.push(service)}`);
  if (subject) where.push(`l.subject in ${subjectsOf(`$${values.push(subject)}::text`)}`);
  // The list goes by number, so that is where a range of times begins and ends, roughly; the times are compared beside.
  if (from) {
    const at = `$${values.push(from)}::timestamptz`;
    const first = `select id from audit_log where at >= ${at} - ${MARGIN} order by at limit 1`;
    where.push(`l.at >= ${at} and l.id >= coalesce((${first}), 9223372036854775807)`);
  }
  if (to) {
    const at = `$${values.push(to)}::timestamptz`;
    const last = `select id from audit_log where at < ${at} + ${MARGIN} order by at desc limit 1`;
    where.push(`l.at < ${at} and l.id <= coalesce((${last}), 0)`);
  }
  if (before) where.push(`l.id < $${values.push(before)}`);
  const who = actorId === null ? '-command-line' : actorId && '-actor';
  const name = `audit-log-list${who ?? ''}${service ? '-service' : ''}${subject ? '-subject' : ''}${from ? '-from' : ''}${to ? '-to' : ''}${before ? '-before' : ''}`;
  const text = `select l.id, ${utcMicroseconds('l.at')} as at, u.email as actor, l.service, l.address, l.action,
                         coalesce('user ' || s.email, l.subject) as subject, l.subject as subject_key, l.outcome,
                         l.before, l.after
                    from audit_log l left join users u on u.id = l.actor_id left join users s on s.id = ${userIn('l.subject')}
                   where ${where.join(' and ')} order by l.id desc limit $1`;
  return { name, text, values };
}

/** SQL: the id in a subject that names a user by it. */
function userIn(subject: string): string {
  return `case when ${subject} ~ '^user [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(${subject}, 6)::uuid end`;
}

/** SQL: a subject as it was typed, and for a user both names: older entries have the address. */
function subjectsOf(typed: string): string {
  const byAddress = `(select 'user ' || id from users where starts_with(${typed}, 'user ') and email = lower(substr(${typed}, 6)))`;
  return `(${typed}, ${byAddress}, (select 'user ' || email from users where id = ${userIn(typed)}))`;
}

function kept(text: string): string {
  return storable(firstCharacters(text, LONGEST_SUBJECT));
}

function jsonOf(facts: Facts | undefined): string | null {
  return facts ? JSON.stringify(facts, asKept) : null;
}

/** What was asked for may be any text, and jsonb takes no NUL and no lone surrogate. */
function asKept(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value;
}
