import type { SignedInVisit } from '../http/page-context';
import type { PageOf } from '../layout/pager';
import type { SubscriptionRow } from './money.queries';
import { MONEY_WORDS } from '../messages/money.messages';
import { SubscriptionTable } from './subscription-table';

export function SubscriptionPage({ visit, page }: { visit: SignedInVisit; page: PageOf<SubscriptionRow> }) {
  const words = MONEY_WORDS[visit.locale];
  return (
    <>
      <h1>{words.subscriptions}</h1>
      <p>{words.subscriptionText}</p>
      <SubscriptionTable visit={visit} page={page} empty={words.noSubscriptions} />
    </>
  );
}
