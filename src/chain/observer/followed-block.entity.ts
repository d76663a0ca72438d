import { defineEntity, p } from '@mikro-orm/core';

/** The last final block that a subscriber was given (block-subscribers.ts), written with what it made of it. */
const FollowedBlockSchema = defineEntity({
  name: 'FollowedBlock',
  tableName: 'followed_blocks',
  properties: {
    subscriber: p.text().primary(),
    number: p.bigint('bigint'),
    id: p.text(),
    /** Ids of earlier ones (trail.ts). */
    trail: p.array().default([]),
    movedAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
});

export class FollowedBlock extends FollowedBlockSchema.class {}
FollowedBlockSchema.setClass(FollowedBlock);
