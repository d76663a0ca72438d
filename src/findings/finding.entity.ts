import { defineEntity, p } from '@mikro-orm/core';
import { PoolWallet } from '../chain/pool/wallets/pool-wallet.entity';
import type { Parameters } from '../common/finding-reasons';

/** What the reconciler found and has not seen to be gone yet, for operators: with the reason and the safe next step. */
const FindingSchema = defineEntity({
  name: 'Finding',
  tableName: 'findings',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    kind: p.text(),
    subject: p.text(),
    /** What it speaks of: a type and, where it is one row, its id; a wallet, and the receiver of its stake. */
    subjectType: p.text().nullable(),
    subjectId: p.text().nullable(),
    wallet: () => p.manyToOne(PoolWallet).ref().nullable().deleteRule('set null'),
    receiver: p.text().nullable(),
    reasonCode: p.text().nullable(),
    parameters: p.json<Parameters>().nullable(),
    /** What was done about it without being asked. */
    actionCode: p.text().nullable(),

    // The same in English, for versions that know no codes: one that runs beside this one, or that is gone back to.
    reason: p.text(),
    nextStep: p.text(),
    action: p.text().nullable(),

    firstSeenAt: p.datetime(6).defaultRaw('now()'),
    lastSeenAt: p.datetime(6).defaultRaw('now()'),
    resolvedAt: p.datetime(6).nullable(),
    /** For a shortage: what was missing. */
    amountSun: p.bigint('bigint').nullable(),
    /** Set by an operator: a shortage of up to this amount stops being a finding. */
    acknowledgedAt: p.datetime(6).nullable(),
    note: p.text().nullable(),
  },
  indexes: [
    { name: 'findings_page', properties: ['firstSeenAt', 'id'] },
    { name: 'findings_open_kind', properties: ['kind', 'wallet'], where: 'resolved_at is null' },
    { name: 'findings_open_page', properties: ['id'], where: 'resolved_at is null' },
    {
      name: 'findings_of_transactions',
      properties: ['wallet', 'subjectId'],
      where: "subject_type = 'wallet_transaction'",
    },
    { name: 'findings_acknowledged', properties: ['subjectType', 'subjectId'], where: 'acknowledged_at is not null' },
  ],
  checks: [
    {
      name: 'findings_acknowledged_is_over',
      expression:
        'acknowledged_at is null or (resolved_at is not null and note is not null and amount_sun is not null)',
    },
  ],
  uniques: [
    { name: 'findings_one_open_per_subject', properties: ['kind', 'subject'], where: 'resolved_at is null' },
    { name: 'findings_one_per_act', properties: ['kind', 'subject'], where: "kind = 'wallet_act'" },
  ],
});

export class Finding extends FindingSchema.class {}
FindingSchema.setClass(Finding);
