import { transactionsLiteral } from '../billing/energy-amount';
import type { SubscriptionView } from '../billing/subscription.service';

export const SUBSCRIPTION_COLUMNS = ['id', 'transactions', 'used', 'held', 'valid_from', 'valid_until'];

/** Quota as people count it, in transactions. */
export function subscriptionDocument(subscription: SubscriptionView) {
  return {
    id: subscription.id,
    transactions: JSON.rawJSON(transactionsLiteral(subscription.quotaEnergy)),
    used: JSON.rawJSON(transactionsLiteral(subscription.usedEnergy)),
    held: JSON.rawJSON(transactionsLiteral(subscription.heldEnergy)),
    valid_from: subscription.validFrom,
    valid_until: subscription.validUntil,
  };
}
