import { Field } from '../../layout/fields';
import { FormKey } from '../../layout/form-key';
import { PostForm } from '../../layout/post-form';
import { MONEY_WORDS } from '../../money/money.words';
import { SubscriptionTable } from '../../money/subscription-table';
import type { UserPageProps } from './user.page';
import { USER_WORDS } from './user.words';

export function UserSubscriptions({ visit, subscriptions, path }: UserPageProps & { path: string }) {
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
              <PostForm visit={visit} action={`${path}/subscriptions/${id}/end`} class="compact">
                <button type="submit" class="secondary">
                  {words.end}
                </button>
              </PostForm>
            ),
        }}
      />
      <PostForm visit={visit} action={`${path}/subscriptions`} class="inline" label={words.addSubscription}>
        <FormKey />
        <Field name="transactions" label={words.transactions} required inputmode="decimal" maxlength={37} />
        <Field name="days" label={words.days} required inputmode="numeric" maxlength={5} />
        <button type="submit">{words.addSubscription}</button>
      </PostForm>
    </>
  );
}
