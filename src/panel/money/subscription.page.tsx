import type { ListedSubscription } from '../../billing/subscription-list.repository';
import { useMessages } from '../layout/current-page';
import type { PageOf } from '../layout/pager';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { SubscriptionTable } from './subscription-table';

export function SubscriptionPage({ page }: { page: PageOf<ListedSubscription> }) {
  const messages = useMessages(MONEY_MESSAGES);
  return (
    <>
      <h1>{messages.subscriptions}</h1>
      <p>{messages.subscriptionText}</p>
      <SubscriptionTable page={page} empty={messages.noSubscriptions} />
    </>
  );
}
