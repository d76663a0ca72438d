import type { ListedSubscription } from '../../billing/subscription-list.repository';
import type { SignedInPageContext } from '../http/page-context';
import type { PageOf } from '../layout/pager';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { SubscriptionTable } from './subscription-table';

export function SubscriptionPage({
  pageContext,
  page,
}: {
  pageContext: SignedInPageContext;
  page: PageOf<ListedSubscription>;
}) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return (
    <>
      <h1>{messages.subscriptions}</h1>
      <p>{messages.subscriptionText}</p>
      <SubscriptionTable pageContext={pageContext} page={page} empty={messages.noSubscriptions} />
    </>
  );
}
