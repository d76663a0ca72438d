import { defineEntity, p } from '@mikro-orm/core';

/** What the reconciler found and has not seen to be gone yet, for operators: with the reason and the safe next step. */
const FindingSchema = defineEntity({
  name: 'Finding',
  tableName: 'findings',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    kind: p.text(),
    subject: p.text(),
    reason: p.text(),
    nextStep: p.text(),
    /** What was done about it without being asked: `mended …` or `paused …`. */
    action: p.text().nullable(),
    firstSeenAt: p.datetime(6).defaultRaw('now()'),
    lastSeenAt: p.datetime(6).defaultRaw('now()'),
    resolvedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { name: 'findings_page', properties: ['firstSeenAt', 'id'] },
    { name: 'findings_open_page', properties: ['id'], where: 'resolved_at is null' },
  ],
  uniques: [{ name: 'findings_one_open_per_subject', properties: ['kind', 'subject'], where: 'resolved_at is null' }],
});

export class Finding extends FindingSchema.class {}
FindingSchema.setClass(Finding);
