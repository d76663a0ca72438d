import type { Statement } from '../database/sql';
import { utcMicroseconds } from '../database/utc-timestamp';

export const READ_BALANCE: Statement = {
  name: 'balance_read',
  text: `
    select balance_sun, held_sun, balance_sun - held_sun as available_sun, ${utcMicroseconds('updated_at')} as updated_at
    from accounts where user_id = $1`,
};

export const LIST_BALANCES: Statement = {
  name: 'balance_list',
  text: 'select user_id, balance_sun, unit_price_sun from accounts',
};
