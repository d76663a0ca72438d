import { textOf } from '../http/form';
import { formStateOf } from '../http/form-state';
import { Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import { PostForm } from '../layout/post-form';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { USER_MESSAGES } from '../messages/user.messages';
import { SubscriptionTable } from '../money/subscription-table';
import { userPath } from './user-by-id.pipe';
import { UserFrame } from './user-frame';
import type { UserSubscriptionsProps } from './user-page.props';

/** What is left of each quota, and the form that adds one. */
export function UserSubscriptionsPage(props: UserSubscriptionsProps) {
  const { pageContext, user, subscriptions, formState } = props;
  const path = userPath(user);
  const { form, problem } = formStateOf('subscription', formState);
  const typed = (name: string) => ({ name, value: textOf(form, name), autocomplete: 'off' });
  const messages = USER_MESSAGES[pageContext.locale];
  return (
    <UserFrame {...props} tab="subscriptions">
      <h2 id="subscriptions">{messages.subscriptions}</h2>
      <SubscriptionTable
        pageContext={pageContext}
        page={subscriptions}
        list="subscriptions"
        empty={MONEY_MESSAGES[pageContext.locale].noSubscriptionsOfUser}
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
      <PostForm
        pageContext={pageContext}
        action={`${path}/subscriptions`}
        class="inline"
        label={messages.addSubscription}
        problem={problem}
      >
        <FormKey form={form} />
        <Field {...typed('transactions')} label={messages.transactions} required inputmode="decimal" />
        <Field {...typed('days')} label={messages.days} required inputmode="numeric" />
        <button type="submit">{messages.addSubscription}</button>
      </PostForm>
    </UserFrame>
  );
}
