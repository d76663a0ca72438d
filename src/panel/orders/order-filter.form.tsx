import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { ORDER_STATES } from '../../delegation/order.states';
import { Choice, Field } from '../layout/fields';
import { ProblemOfForm, ProblemSummary } from '../layout/form-problem';
import type { OrderMessages } from '../messages/order.messages';
import type { OrderFilter } from './order.filter';

interface Props {
  readonly path: string;
  readonly filter: OrderFilter;
  readonly messages: OrderMessages;
  readonly operating: boolean;
}

export function OrderFilterForm({ path, filter, messages, operating }: Props) {
  const { state, receiver, txid, user, stuck } = filter.typed;
  const kinds = STUCK_KINDS.map((value) => [value, messages.stuckKinds[value]] as const);
  const states = ORDER_STATES.map((value) => [value, messages.states[value]] as const);
  const problem = filter.problem ? { ...filter.problem, text: messages[filter.problem.text] } : undefined;
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <form method="get" action={path} class="inline" aria-label={messages.find}>
        <Choice name="state" label={messages.state} value={state} options={[['', messages.anyState], ...states]} />
        <Field name="receiver" label={messages.receiver} value={receiver} spellcheck={false} />
        <Field name="txid" label={messages.txid} value={txid} spellcheck={false} />
        {operating && (
          <Choice name="stuck" label={messages.stuck} value={stuck} options={[['', messages.stuckOrNot], ...kinds]} />
        )}
        {operating && <Field name="user" type="email" label={messages.user} value={user} />}
        <button type="submit" class="secondary">
          {messages.find}
        </button>
        {filter.active && (
          <a href={path} class="beside">
            {messages.clear}
          </a>
        )}
      </form>
    </ProblemOfForm.Provider>
  );
}
