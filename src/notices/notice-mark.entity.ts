import { defineEntity, p } from '@mikro-orm/core';

/** When something was told of last: one row for each thing, so that of several instances one tells it. */
const NoticeMarkSchema = defineEntity({
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

export class NoticeMark extends NoticeMarkSchema.class {}
NoticeMarkSchema.setClass(NoticeMark);
