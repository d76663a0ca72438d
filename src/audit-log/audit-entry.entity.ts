import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';

export const ACTION_OUTCOMES = ['begun', 'done', 'refused', 'failed'] as const;
export type ActionOutcome = (typeof ACTION_OUTCOMES)[number];

/** The parts of the service that act of themselves. */
export type ActingService = 'reconciler' | 'webhooks' | 'panel' | 'stake care';

/**
 * An act of an operator, in the panel or on the command line, or of the service itself. Append-only: a trigger refuses update, delete
 * and truncate.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    at: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** null: the command line, or the service. */
    actor: () => p.manyToOne(User).ref().nullable().deleteRule('restrict'),
    /** The part of the service that acted of itself. */
    service: p.text().nullable(),
    /** Where the request came from; of the command line, account and machine; of the service, the machine. */
    address: p.text(),
    action: p.text(),
    /** Whom or what it was done to; a user by id, for addresses change (older entries, and those of an address without a user: by address). */
    subject: p.text(),
    outcome: p.enum(ACTION_OUTCOMES),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
  },
  indexes: [
    { name: 'audit_log_actor_page', properties: ['actor', 'id'] },
    { name: 'audit_log_subject_page', properties: ['subject', 'id'] },
    { name: 'audit_log_time', properties: ['at', 'id'] },
    { name: 'audit_log_service_page', properties: ['service', 'id'], where: 'service is not null' },
  ],
  checks: [{ name: 'audit_log_one_actor', expression: 'actor_id is null or service is null' }],
});
