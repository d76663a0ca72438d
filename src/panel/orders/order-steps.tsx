import { formatTrx } from '../../common/money/sun';
import type { OrderView } from '../../delegation/lookup/order-lookup';
import { FINISHED_STATES, type OrderState } from '../../common/order.states';
import { Instant, useMessages } from '../layout/components';

type Step = 'ordered' | 'included' | 'charged' | 'back' | 'failed';

/** How many steps of its way an order in this state has behind it: ordered, in a block, final, given back. */
const BEHIND: Readonly<Record<OrderState, number>> = {
  activating: 1,
  pending: 1,
  sent: 1,
  included: 2,
  delegated: 3,
  reclaiming: 3,
  reclaimed: 4,
  failed: 2,
  taking_back: 2,
  taken_back: 3,
};
const WAY: readonly Step[] = ['ordered', 'included', 'charged', 'back'];
/** It never landed. */
const NO_WAY: readonly Step[] = ['ordered', 'failed'];
/** It landed although it was answered with a failure: nothing is charged. */
const BACK_AGAIN: readonly Step[] = ['ordered', 'included', 'back'];

/** From ordered to energy back: what is done, what it waits for, what is to come. */
export function OrderSteps({ order }: { order: OrderView }) {
  const messages = useMessages('step');
  const { state } = order;
  const behind = BEHIND[state];
  return (
    <ol class="steps" aria-label={messages.progress}>
      {wayOf(state).map((step, index) => (
        <li
          key={step}
          class={step === 'failed' ? 'bad' : index < behind ? 'done' : index === behind ? 'now' : undefined}
          aria-current={index === behind ? 'step' : undefined}
        >
          <strong>{messages.steps[step]}</strong>
          <small>
            {index < behind ? (
              <Done order={order} step={step} />
            ) : (
              index === behind && <Waits order={order} step={step} />
            )}
          </small>
        </li>
      ))}
    </ol>
  );
}

export function isOver({ state }: Pick<OrderView, 'state'>): boolean {
  return FINISHED_STATES.includes(state);
}

function wayOf(state: OrderState): readonly Step[] {
  if (state === 'failed') return NO_WAY;
  return state === 'taking_back' || state === 'taken_back' ? BACK_AGAIN : WAY;
}

/** When; of the charge, what. */
function Done({ order, step }: { order: OrderView; step: Step }) {
  const messages = useMessages('step');
  const { payers } = useMessages('order');
  if (step === 'charged') {
    const trx = formatTrx(order.cost_sun);
    if (order.paid_by === 'balance') return <>{`${trx} TRX`}</>;
    // Quota pays for no activation.
    return <>{order.cost_sun === 0n ? payers.subscription : messages.quotaAnd(trx)}</>;
  }
  // `delegated_at` is its block's time.
  const at = { ordered: order.created_at, included: order.delegated_at, back: order.reclaimed_at }[step as string];
  return at ? <Instant at={at} /> : null;
}

function Waits({ order, step }: { order: OrderView; step: Step }) {
  const messages = useMessages('step');
  if (order.state === 'activating') return <>{messages.activating}</>;
  if (step !== 'back' || order.state === 'reclaiming' || order.reclaim_due_at === null) return <>{messages.underWay}</>;
  return <>{messages.due(<Instant at={order.reclaim_due_at} />)}</>;
}
