import { Choices, Field, FormKey, GetButton, PostForm, useMessages } from '../layout/components';
import { SubscriptionTable } from '../money/subscription-table';
import { userPath } from './user-by-id.pipe';
import { UserFrame } from './user-frame';
import { formStateOf, type UserSubscriptionsProps } from './user-page.props';

/** What is left of each quota, and the form that adds one. */
export function UserSubscriptionsPage(props: UserSubscriptionsProps) {
  const { user, subscriptions, formState } = props;
  const path = userPath(user);
  const { form, problem } = formStateOf('subscription', formState);
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
              <GetButton action={`${path}/subscriptions/${id}/end`} compact class="secondary" text={messages.end} />
            ),
        }}
      />
      <PostForm
        action={`${path}/subscriptions`}
        class="inline"
        label={messages.addSubscription}
        form={form}
        problem={problem}
      >
        <FormKey form={form} />
        <Field name="transactions" label={messages.transactions} required inputmode="decimal" autocomplete="off" />
        <Field name="days" label={messages.days} required inputmode="numeric" autocomplete="off" />
        <Field name="price" label={messages.price} hint={messages.priceHint} inputmode="decimal" autocomplete="off" />
        <Choices
          type="radio"
          name="paid_by"
          label={messages.paidBy}
          options={[
            { value: 'balance', label: messages.payers.balance },
            { value: 'reference', label: messages.payers.reference },
          ]}
        />
        <Field name="reference" label={messages.reference} hint={messages.paymentHint} autocomplete="off" />
        <button type="submit">{messages.addSubscription}</button>
      </PostForm>
    </UserFrame>
  );
}
