import { textOf } from '../http/form';
import { formStateOf } from '../http/form-state';
import { Field } from '../layout/fields';
import { FormKey } from '../layout/form-key';
import { PostForm } from '../layout/post-form';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { USER_MESSAGES } from '../messages/user.messages';
import { SubscriptionTable } from '../money/subscription-table';
import type { UserPageProps } from './user-page.props';

export function UserSubscriptions({ pageContext, subscriptions, formState, path }: UserPageProps & { path: string }) {
  const { form, problem } = formStateOf('subscription', formState);
  const typed = (name: string) => ({ name, value: textOf(form, name), autocomplete: 'off' });
  const messages = USER_MESSAGES[pageContext.locale];
  return (
    <>
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
    </>
  );
}
