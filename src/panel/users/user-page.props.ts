import type { Balance } from '../../balance/balance.service';
import type { ListedHold } from '../../billing/hold-list.repository';
import type { ListedSubscription } from '../../billing/subscription-list.repository';
import type { RefusedAttemptView } from '../../reporting/refusals/refused-attempt.repository';
import type { LostByCode, Report } from '../../reporting/reports/order-report';
import type { UserRecord } from '../../users/user.service';
import type { TimeBars } from '../business/time-buckets';
import type { AskedRange } from '../dates/date-range';
import type { Form } from '../http/form';
import type { FormProblem } from '../layout/form-problem';
import type { PageOf } from '../layout/pager';
import type { LedgerOfRange } from '../money/money-pages';

export const USER_TABS = ['usage', 'money', 'subscriptions', 'access'] as const;
export type UserTab = (typeof USER_TABS)[number];

/** Above every tab of a user. */
export interface UserFrameProps {
  readonly user: UserRecord;
  readonly balance: Balance;
  readonly formState?: FormState;
}

export interface UserUsageProps extends UserFrameProps {
  readonly asked: AskedRange;
  /** Null: no range that could be shown. */
  readonly usage: {
    readonly report: Report;
    readonly bars: TimeBars;
    readonly lost: readonly LostByCode[];
  } | null;
  readonly attempts: PageOf<RefusedAttemptView>;
}

export interface UserMoneyProps extends UserFrameProps {
  readonly holds: PageOf<ListedHold>;
  readonly ledger: LedgerOfRange;
}

export interface UserSubscriptionsProps extends UserFrameProps {
  readonly subscriptions: PageOf<ListedSubscription>;
}

export interface UserAccessProps extends UserFrameProps {
  /** Accounts have a price of their own: not in every variant. */
  readonly priced: boolean;
}

/** A form of a user's page as it was filled in, when it was refused. */
export interface FormState {
  readonly of: 'movement' | 'subscription' | 'settings';
  readonly form: Form;
  readonly problem?: FormProblem;
}

/** What a form of this page has to show again. */
export function formStateOf(of: FormState['of'], formState: FormState | undefined): Partial<Omit<FormState, 'of'>> {
  return formState?.of === of ? { form: formState.form, problem: formState.problem } : {};
}
