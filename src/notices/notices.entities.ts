import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.entity';
import { type AnyKind, CHANNELS, type NoticeItem } from './notice-kinds';

/** Kinds of notices that a channel sends; without a row, all of them. */
export const NoticeChoice = defineEntity({
  name: 'NoticeChoice',
  tableName: 'notice_choices',
  properties: { channel: p.enum(CHANNELS).primary(), kinds: p.array<AnyKind>() },
});

/** When something was told of last: one row for each thing, so that of several instances one tells it. */
export const NoticeMark = defineEntity({
  name: 'NoticeMark',
  tableName: 'notice_marks',
  properties: {
    kind: p.text().primary(),
    thing: p.text().primary(),
    begunAt: p.datetime(6),
    noticedAt: p.datetime(6),
    seenAt: p.datetime(6),
    /** The look that told of it. */
    noticedBy: p.uuid(),
    reminds: p.boolean(),
  },
  indexes: [{ name: 'notice_marks_seen_at', properties: ['seenAt'] }],
});

export const NOTICE_STATES = ['pending', 'sent', 'failed'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** One message on one way, until it was taken or given up. */
export const NoticeDelivery = defineEntity({
  name: 'NoticeDelivery',
  tableName: 'notice_deliveries',
  properties: {
    id: p.uuid().primary(),
    channel: p.enum(CHANNELS),
    /** Whose balance it is about: the mail goes there. Null: to the operators. */
    user: () => p.manyToOne(User).ref().nullable().deleteRule('restrict'),
    items: p.json<NoticeItem[]>(),
    state: p.enum(NOTICE_STATES).default('pending'),
    attempts: p.integer().default(0),
    /** Error of the last attempt; a short code, never what a server has said. */
    error: p.text().nullable(),
    nextAt: p.datetime(6).nullable(),
    /** Each claim raises it, so that a late writer changes nothing. */
    epoch: p.integer().default(0),
    claimedUntil: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'notice_deliveries_pending', properties: ['nextAt'], where: "state = 'pending'" },
    { name: 'notice_deliveries_created_at', properties: ['createdAt'] },
    { name: 'notice_deliveries_user', properties: ['user'], where: 'user_id is not null' },
  ],
  checks: [
    { name: 'notice_deliveries_next', expression: "(state = 'pending') = (next_at is not null)" },
    { name: 'notice_deliveries_recipient', expression: "(channel = 'customers') = (user_id is not null)" },
  ],
});
