import { textOf } from '../http/form';
import { Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import { PostForm } from '../layout/post-form';
import { MONEY_WORDS } from '../messages/money.messages';
import { SubscriptionTable } from '../money/subscription-table';
import { attemptAt } from '../http/form-state';
import type { UserPageProps } from './user.page';
import { USER_WORDS } from '../messages/user.messages';

export function UserSubscriptions({ visit, subscriptions, attempt, path }: UserPageProps & { path: string }) {
  const { form, problem } = attemptAt('subscription', attempt);
  const typed = (name: string) => ({ name, value: textOf(form, name), autocomplete: 'off' });
  const words = USER_WORDS[visit.locale];
  return (
    <>
      <SubscriptionTable
        visit={visit}
        page={subscriptions}
        list="subscriptions"
        empty={MONEY_WORDS[visit.locale].noSubscriptionsOfUser}
        extra={{
          name: words.end,
          cell: ({ id, state }) =>
            state !== 'ended' && (
              <form method="get" action={`${path}/subscriptions/${id}/end`} class="compact">
                <button type="submit" class="secondary">
                  {words.end}
                </button>
              </form>
            ),
        }}
      />
      <PostForm
        visit={visit}
        action={`${path}/subscriptions`}
        class="inline"
        label={words.addSubscription}
        problem={problem}
      >
        <FormKey form={form} />
        <Field {...typed('transactions')} label={words.transactions} required inputmode="decimal" />
        <Field {...typed('days')} label={words.days} required inputmode="numeric" />
        <button type="submit">{words.addSubscription}</button>
      </PostForm>
    </>
  );
}
