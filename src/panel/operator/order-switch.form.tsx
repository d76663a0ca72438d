import type { OrderSwitchView } from '../../chain/pool/order-switches';
import type { SignedInVisit } from '../http/visit';
import { Field } from '../layout/fields';
import { PostForm } from '../layout/post-form';
import { Instant } from '../layout/values';
import { OPERATOR_WORDS } from './operator.words';

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
      <PostForm visit={visit} action="/panel/operator/wallets/orders" class="inline" label={words.newOrders}>
        {!state.paused && <Field name="reason" label={words.reason} maxlength={300} autocomplete="off" />}
        <button
          type="submit"
          name="orders"
          value={state.paused ? 'resume' : 'pause'}
          class={state.paused ? undefined : 'danger'}
        >
          {state.paused ? words.resumeOrders : words.pauseOrders}
        </button>
      </PostForm>
    </>
  );
}
