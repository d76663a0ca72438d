import type { OrderSwitchView } from '../../chain/wallets/order-switches';
import type { SignedInPageContext } from '../http/page-context';
import { Confirmation } from '../layout/confirmation';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Instant } from '../layout/values';
import { OPERATOR_MESSAGES } from '../messages/operator.messages';

export const ORDERS_SWITCH_PATH = '/panel/operator/wallets/orders';

interface PauseConfirmationProps {
  readonly pageContext: SignedInPageContext;
  /** One that was refused. */
  readonly reason?: string;
  readonly problem?: FormProblem;
}

/** The confirmation before orders are paused; others read the reason. */
export function PauseConfirmation({ pageContext, reason, problem }: PauseConfirmationProps) {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  return (
    <Confirmation
      pageContext={pageContext}
      title={messages.pauseConfirmation}
      facts={[]}
      text={messages.pauseText}
      action={ORDERS_SWITCH_PATH}
      fields={{ orders: 'pause' }}
      button={messages.pauseOrders}
      back="/panel/operator/wallets"
      problem={problem}
    >
      <Field name="reason" label={messages.reason} value={reason} autocomplete="off" />
    </Confirmation>
  );
}

/** One switch for all new orders. */
export function OrderSwitchForm({ pageContext, state }: { pageContext: SignedInPageContext; state: OrderSwitchView }) {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  return (
    <>
      <h2>{messages.newOrders}</h2>
      <p class={state.paused ? 'notice refused' : undefined}>
        {state.paused ? messages.ordersPaused : messages.ordersTaken}{' '}
        {state.paused && (
          <>
            <Instant at={state.since} /> {state.reason}
          </>
        )}
      </p>
      {state.paused ? (
        <PostForm pageContext={pageContext} action={ORDERS_SWITCH_PATH} label={messages.newOrders}>
          <button type="submit" name="orders" value="resume">
            {messages.resumeOrders}
          </button>
        </PostForm>
      ) : (
        <form method="get" action={ORDERS_SWITCH_PATH}>
          <button type="submit" class="danger">
            {messages.pauseOrders}
          </button>
        </form>
      )}
    </>
  );
}
