import { defineEntity, p } from '@mikro-orm/core';
import { type AnyKind, CHANNELS } from './notice-kinds';

/** Kinds of notices that a channel sends; without a row, all of them. */
const NoticeChoiceSchema = defineEntity({
  name: 'NoticeChoice',
  tableName: 'notice_choices',
  properties: { channel: p.enum(CHANNELS).primary(), kinds: p.array<AnyKind>() },
});

export class NoticeChoice extends NoticeChoiceSchema.class {}
NoticeChoiceSchema.setClass(NoticeChoice);
