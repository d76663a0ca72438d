import { defineEntity, p } from '@mikro-orm/core';
import { type AnyKind, CHANNELS } from './notice-kinds';

/** What is told on a way; without a row, everything. */
const NoticeChoiceSchema = defineEntity({
  name: 'NoticeChoice',
  tableName: 'notice_choices',
  properties: { channel: p.enum(CHANNELS).primary(), kinds: p.array<AnyKind>() },
});

export class NoticeChoice extends NoticeChoiceSchema.class {}
NoticeChoiceSchema.setClass(NoticeChoice);
