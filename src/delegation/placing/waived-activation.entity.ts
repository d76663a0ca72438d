import { defineEntity, p } from '@mikro-orm/core';

/** An order that was not charged for the activation that it sent, because the account existed before: so many a day and account are given. */
const WaivedActivationSchema = defineEntity({
  name: 'WaivedActivation',
  tableName: 'waived_activations',
  properties: {
    delegationId: p.uuid().primary(),
    userId: p.uuid(),
    /** Time of the head when the order was placed. */
    headTimeMs: p.bigint('bigint'),
  },
  indexes: [{ name: 'waived_activations_user', properties: ['userId', 'headTimeMs'] }],
});

export class WaivedActivation extends WaivedActivationSchema.class {}
WaivedActivationSchema.setClass(WaivedActivation);
