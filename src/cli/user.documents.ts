import type { SignUpView } from '../auth/sign-ups/sign-up.service';
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
    low_balance: user.lowBalanceSun === null ? null : formatTrx(user.lowBalanceSun),
    disabled: user.disabledAt !== null,
  };
}

/** The fields of a user, of somebody who is none yet, and what an operator decides by. */
export function signUpDocument({ id, email, name, language, network, confirmedAt }: SignUpView) {
  return {
    id,
    email,
    name,
    operator: false,
    unit_price: null,
    rate_limit: null,
    low_balance: null,
    disabled: false,
    language,
    network,
    confirmed_at: confirmedAt?.toISOString() ?? null,
  };
}
