import { defineEntity, p } from '@mikro-orm/core';
import { ApiToken } from './api-token.entity';

/** What the orders of a token count on one UTC day. A transaction that writes it has locked the account of the token's user. */
const TokenDaySchema = defineEntity({
  name: 'TokenDay',
  tableName: 'token_days',
  properties: {
    id: p.bigint('bigint').primary().autoincrement(),
    token: () => p.manyToOne(ApiToken).ref().deleteRule('restrict'),
    day: p.date(),
    /** The list prices of its orders that are held or charged. */
    usedSun: p.bigint('bigint'),
  },
  uniques: [{ name: 'token_days_token_day', properties: ['token', 'day'] }],
  checks: [{ name: 'token_days_used_not_negative', expression: 'used_sun >= 0' }],
});

export class TokenDay extends TokenDaySchema.class {}
TokenDaySchema.setClass(TokenDay);

/**
 * SQL: the day it is, in UTC by the database's clock, whatever the session's time zone. Of the statement's beginning, so that an index
 * finds a day by it; one that waits for its locks over midnight still counts on the day it came.
 */
export const UTC_TODAY = `(statement_timestamp() at time zone 'utc')::date`;
