import type { OrderSwitchView } from '../../chain/wallets/order-switches';
import type { SignedInVisit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { PostForm } from '../layout/post-form';
import { Question } from '../layout/confirmation';
import { Instant } from '../layout/values';
import { OPERATOR_WORDS } from '../messages/operator.messages';

export const ORDERS_SWITCH_PATH = '/panel/operator/wallets/orders';

interface QuestionProps {
  readonly visit: SignedInVisit;
  /** One that was refused. */
  readonly reason?: string;
  readonly problem?: FormProblem;
}

/** The question before it is thrown; the reason is what others read. */
export function PauseQuestion({ visit, reason, problem }: QuestionProps) {
  const words = OPERATOR_WORDS[visit.locale];
  return (
    <Question
      visit={visit}
      title={words.pauseQuestion}
      facts={[]}
      text={words.pauseText}
      action={ORDERS_SWITCH_PATH}
      fields={{ orders: 'pause' }}
      button={words.pauseOrders}
      back="/panel/operator/wallets"
      problem={problem}
    >
      <Field name="reason" label={words.reason} value={reason} autocomplete="off" />
    </Question>
  );
}

/** One switch for all new orders. */
export function OrderSwitchForm({ visit, state }: { visit: SignedInVisit; state: OrderSwitchView }) {
  const words = OPERATOR_WORDS[visit.locale];
  return (
    <>
      <h2>{words.newOrders}</h2>
      <p class={state.paused ? 'notice refused' : undefined}>
        {state.paused ? words.ordersPaused : words.ordersTaken}{' '}
        {state.paused && (
          <>
            <Instant at={state.since} /> {state.reason}
          </>
        )}
      </p>
      {state.paused ? (
        <PostForm visit={visit} action={ORDERS_SWITCH_PATH} label={words.newOrders}>
          <button type="submit" name="orders" value="resume">
            {words.resumeOrders}
          </button>
        </PostForm>
      ) : (
        <form method="get" action={ORDERS_SWITCH_PATH}>
          <button type="submit" class="danger">
            {words.pauseOrders}
          </button>
        </form>
      )}
    </>
  );
}
