import type { ListedSubscription } from '../../billing/subscription-list.repository';
import { useMessages } from '../layout/current-page';
import type { PageOf } from '../layout/pager';
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
