import { formatTrx } from '../common/money/sun';
import type { UserRecord } from '../users/user.service';

export function userDocument(user: UserRecord) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    operator: user.operator,
    unit_price: user.unitPriceSun === null ? null : formatTrx(user.unitPriceSun),
    rate_limit: user.rateLimitPerMinute,
    disabled: user.disabledAt !== null,
  };
}
