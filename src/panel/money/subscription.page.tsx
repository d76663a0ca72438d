import type { ListedSubscription } from '../../billing/subscription-list.repository';
import { type PageOf, useMessages } from '../layout/components';
import { SubscriptionTable } from './subscription-table';

export function SubscriptionPage({ page }: { page: PageOf<ListedSubscription> }) {
  const messages = useMessages('money');
  return (
    <>
      <h1>{messages.subscriptions}</h1>
      <p>{messages.subscriptionText}</p>
      <SubscriptionTable page={page} empty={messages.noSubscriptions} />
    </>
  );
}
