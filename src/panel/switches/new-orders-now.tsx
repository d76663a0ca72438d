import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import type { SignedInPageContext } from '../http/page-context';
import { groupDigits } from '../layout/values';
import { NEW_ORDERS_MESSAGES, refusalText } from '../messages/new-orders.messages';

/** What a caller gets at this moment, and why. */
export function NewOrdersNow({ pageContext, orders }: { pageContext: SignedInPageContext; orders: OrderOutlookView }) {
  const messages = NEW_ORDERS_MESSAGES[pageContext.locale];
  const { refusal, largestEnergy, activates } = orders;
  return (
    <>
      {refusal ? (
        <p class="notice refused">{refusalText(refusal, messages)}</p>
      ) : (
        <p class="notice">
          {messages.taken}{' '}
          {largestEnergy !== null && messages.largest(groupDigits(largestEnergy / ENERGY_PER_TRANSACTION))}
        </p>
      )}
      {!activates && <p>{messages.noActivation}</p>}
    </>
  );
}
