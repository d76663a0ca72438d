import { textOf } from '../http/form';
import { formStateOf } from '../http/form-state';
import { useMessages } from '../layout/current-page';
import { Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import { PostForm } from '../layout/post-form';
import { SubscriptionTable } from '../money/subscription-table';
import { userPath } from './user-by-id.pipe';
import { UserFrame } from './user-frame';
import type { UserSubscriptionsProps } from './user-page.props';

/** What is left of each quota, and the form that adds one. */
export function UserSubscriptionsPage(props: UserSubscriptionsProps) {
  const { user, subscriptions, formState } = props;
  const path = userPath(user);
  const { form, problem } = formStateOf('subscription', formState);
  const typed = (name: string) => ({ name, value: textOf(form, name), autocomplete: 'off' });
  const messages = useMessages('user');
  return (
    <UserFrame {...props} tab="subscriptions">
      <h2 id="subscriptions">{messages.subscriptions}</h2>
      <SubscriptionTable
        page={subscriptions}
        list="subscriptions"
        empty={useMessages('money').noSubscriptionsOfUser}
        extra={{
          name: messages.end,
          cell: ({ id, state }) =>
            state !== 'ended' && (
              <form method="get" action={`${path}/subscriptions/${id}/end`} class="compact">
                <button type="submit" class="secondary">
                  {messages.end}
                </button>
              </form>
            ),
        }}
      />
      <PostForm action={`${path}/subscriptions`} class="inline" label={messages.addSubscription} problem={problem}>
        <FormKey form={form} />
        <Field {...typed('transactions')} label={messages.transactions} required inputmode="decimal" />
        <Field {...typed('days')} label={messages.days} required inputmode="numeric" />
        <button type="submit">{messages.addSubscription}</button>
      </PostForm>
    </UserFrame>
  );
}
