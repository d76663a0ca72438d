import type { Statement } from '../database/sql';
import { utcMicroseconds } from '../database/utc-timestamp';

export const READ_BALANCES: Statement = {
  name: 'balance_read_many',
  text: `
    select user_id as key, balance_sun, held_sun, balance_sun - held_sun as available_sun, ${utcMicroseconds('updated_at')} as updated_at
    from accounts where user_id = any($1::uuid[])`,
};

export const LIST_BALANCES: Statement = {
  name: 'balance_list',
  text: 'select user_id, balance_sun, unit_price_sun from accounts',
};
