import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { groupDigits, useMessages } from '../layout/components';
import { outlookText } from '../../notices/attention/outlook-text';

/** What a caller gets at this moment, and why. */
export function NewOrdersNow({ orders }: { orders: OrderOutlookView }) {
  const messages = useMessages('newOrders');
  const { refusal, largestEnergy, activates } = orders;
  return (
    <>
      {refusal ? (
        <p class="notice refused">{outlookText(refusal, messages)}</p>
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
