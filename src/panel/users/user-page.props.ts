import type { Balance } from '../../balance/balance.service';
import type { LedgerEntryView } from '../../balance/ledger.service';
import type { ListedHold } from '../../billing/hold-list.repository';
import type { ListedSubscription } from '../../billing/subscription-list.repository';
import type { UserRecord } from '../../users/user.service';
import type { FormState } from '../http/form-state';
import type { SignedInPageContext } from '../http/page-context';
import type { PageOf } from '../layout/pager';

/** What the page of a user shows; its parts take it too. */
export interface UserPageProps {
  readonly pageContext: SignedInPageContext;
  readonly user: UserRecord;
  /** Accounts have a price of their own: not in every variant. */
  readonly priced: boolean;
  readonly balance: Balance;
  readonly holds: PageOf<ListedHold>;
  readonly subscriptions: PageOf<ListedSubscription>;
  readonly ledger: PageOf<LedgerEntryView>;
  readonly formState?: FormState;
}
