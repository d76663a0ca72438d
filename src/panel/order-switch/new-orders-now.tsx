import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import type { NewOrdersView } from '../../delegation/placing/new-orders';
import type { SignedInVisit } from '../http/page-context';
import { groupDigits } from '../layout/values';
import { NEW_ORDERS_WORDS, refusalText } from '../messages/new-orders.messages';

/** What a caller gets at this moment, and why. */
export function NewOrdersNow({ visit, orders }: { visit: SignedInVisit; orders: NewOrdersView }) {
  const words = NEW_ORDERS_WORDS[visit.locale];
  const { refusal, largestEnergy, activates } = orders;
  return (
    <>
      {refusal ? (
        <p class="notice refused">{refusalText(refusal, words)}</p>
      ) : (
        <p class="notice">
          {words.taken} {largestEnergy !== null && words.largest(groupDigits(largestEnergy / ENERGY_PER_TRANSACTION))}
        </p>
      )}
      {!activates && <p>{words.noActivation}</p>}
    </>
  );
}
