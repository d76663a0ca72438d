import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

/** How often a customer's orders were refused for one reason on one UTC day, without a row of their own. */
const RefusedAttemptDaySchema = defineEntity({
  name: 'RefusedAttemptDay',
  tableName: 'refused_attempt_days',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    day: p.date(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    /** As in `X-Error-Code`. */
    code: p.text(),
    attempts: p.bigint('bigint'),
  },
  indexes: [{ name: 'refused_attempt_days_user', properties: ['user', 'day'] }],
  uniques: [{ name: 'refused_attempt_days_day_user_code', properties: ['day', 'user', 'code'] }],
  checks: [{ name: 'refused_attempt_days_positive', expression: 'attempts > 0' }],
});

export class RefusedAttemptDay extends RefusedAttemptDaySchema.class {}
RefusedAttemptDaySchema.setClass(RefusedAttemptDay);
