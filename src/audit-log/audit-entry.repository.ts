import { Injectable } from '@nestjs/common';
import { firstCharacters, storable } from '../common/text';
import { idsBetween } from '../database/ids-between.sql';
import { type Queryable, Sql } from '../database/sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { ActingService, ActionOutcome } from './audit-entry.entity';
import type { Subject } from './subjects';

export type Facts = Record<string, unknown>;

export interface NewAuditEntry {
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
  /** A user appears with the address of today. */
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
  /** Acts of this name alone, and of them those that were done. */
  readonly done?: string;
  /** From then on, and before then. */
  readonly from?: Date | null;
  readonly to?: Date | null;
  readonly before?: bigint;
  /** The numbers of its range of times, when they are known. */
  readonly ids?: IdRange;
  readonly limit: number;
}

export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
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
  'audit_log_insert',
  `insert into audit_log (actor_id, service, address, action, subject, outcome, before, after)
         values ($1, $2, $3, $4, coalesce((select 'user ' || u.id from users u where u.email = $9), $5), $6, $7::jsonb, $8::jsonb)`,
);

/** The numbers of the entries of a range of times. */
const IDS_BETWEEN = statement<[from: Date | null, to: Date | null], IdRange>(
  'audit_log_ids_between',
  idsBetween(
    'audit_log',
    `at >= coalesce($1::timestamptz, '-infinity') and at < coalesce($2::timestamptz, 'infinity')`,
  ),
);

/** A subject may be any text that was typed for a name, and an index takes no long one. */
const LONGEST_SUBJECT = 300;

/** Table `audit_log`: append-only. */
@Injectable()
export class AuditEntryRepository {
  constructor(private readonly sql: Sql) {}

  async append(entry: NewAuditEntry, db: Queryable = this.sql): Promise<void> {
    const { actorId, service, address, action, outcome } = entry;
    const userEmail = typeof entry.subject === 'string' ? null : kept(entry.subject.userEmail);
    const subject = userEmail === null ? kept(entry.subject as string) : kept(`user ${userEmail}`);
    const [before, after] = [jsonOf(entry.before), jsonOf(entry.after)];
    await db.execute(APPEND, [actorId, service, address, action, subject, outcome, before, after, userEmail]);
  }

  /** Newest first. */
  async list(filter: AuditFilter): Promise<AuditView[]> {
    const ids = filter.ids ?? (await this.idsBetween(filter));
    const { values, ...query } = listQuery({ ...filter, ids });
    return this.sql.rows(statement<readonly unknown[], AuditView>(query.name, query.text), values);
  }

  /** Undefined: all of them. */
  async idsBetween({ from = null, to = null }: Pick<AuditFilter, 'from' | 'to'>): Promise<IdRange | undefined> {
    if (from === null && to === null) return undefined;
    return (await this.sql.row(IDS_BETWEEN, [from, to]))!;
  }
}

/** A statement for each combination of filters: one for all of them would keep the planner from using their indexes. */
function listQuery({ actorId, service, subject, done, from, to, ids, before, limit }: AuditFilter) {
  const values: unknown[] = [limit];
  const where = ['true'];
  if (actorId) where.push(`l.actor_id = $${values.push(actorId)}`);
  if (actorId === null) where.push('l.actor_id is null and l.service is null');
  if (service) where.push(`l.service = $${values.push(service)}`);
  if (subject) where.push(`l.subject in ${subjectsOf(`$${values.push(subject)}::text`)}`);
  if (done) where.push(`l.outcome = 'done' and l.action = $${values.push(done)}`);
  if (from) where.push(`l.at >= $${values.push(from)}::timestamptz`);
  if (to) where.push(`l.at < $${values.push(to)}::timestamptz`);
  // The list goes by number: so it begins and ends with the range's.
  if (ids) where.push(`l.id between $${values.push(ids.first)} and $${values.push(ids.last)}`);
  if (before) where.push(`l.id < $${values.push(before)}`);
  const who = actorId === null ? '_command_line' : actorId && '_actor';
  const name = `audit_log_list${who ?? ''}${service ? '_service' : ''}${subject ? '_subject' : ''}${done ? '_done' : ''}${from ? '_from' : ''}${to ? '_to' : ''}${before ? '_before' : ''}`;
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
