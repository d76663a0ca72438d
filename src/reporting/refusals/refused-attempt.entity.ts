import { defineEntity, p } from '@mikro-orm/core';
import { ApiToken } from '../../auth/tokens/api-token.entity';
import { User } from '../../users/user.entity';

/** One of the newest attempts of a customer that were refused; equal ones of a moment are one row. */
const RefusedAttemptSchema = defineEntity({
  name: 'RefusedAttemptRow',
  tableName: 'refused_attempts',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    user: () => p.manyToOne(User).ref().deleteRule('restrict'),
    token: () => p.manyToOne(ApiToken).ref().nullable().deleteRule('restrict'),
    firstAt: p.datetime(6),
    lastAt: p.datetime(6),
    times: p.bigint('bigint'),
    code: p.text(),
    /** The names of the fields that were wrong, never their values. */
    fields: p.array().nullable(),
    /** Null unless it has an address's form: anything may stand in a call. */
    receiver: p.text().nullable(),
    amount: p.text().nullable(),
    /** Id of the last attempt's request, as in `X-Request-Id`. */
    requestId: p.text().nullable(),
  },
  indexes: [
    { name: 'refused_attempts_user_page', properties: ['user', 'id'] },
    { name: 'refused_attempts_age', properties: ['lastAt'] },
    { name: 'refused_attempts_request', properties: ['requestId'], where: 'request_id is not null' },
  ],
  checks: [
    {
      name: 'refused_attempts_lengths',
      expression: 'length(receiver) <= 34 and length(amount) <= 30 and length(request_id) <= 128 and times > 0',
    },
  ],
});

export class RefusedAttemptRow extends RefusedAttemptSchema.class {}
RefusedAttemptSchema.setClass(RefusedAttemptRow);
