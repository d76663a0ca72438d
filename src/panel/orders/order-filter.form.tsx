import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { ORDER_STATES } from '../../common/order.states';
import { RangeFields, RangePresets, rangeProblem } from '../dates/date-range.form';
import { useMessages } from '../layout/current-page';
import { Choice, Field } from '../layout/fields';
import { ProblemOfForm, ProblemSummary } from '../layout/form-problem';
import type { OrderFilter } from './order.filter';

interface Props {
  readonly path: string;
  readonly filter: OrderFilter;
  readonly operating: boolean;
}

export function OrderFilterForm({ path, filter, operating }: Props) {
  const dates = useMessages('date');
  const messages = useMessages('order');
  const { state, receiver, txid, user, stuck } = filter.typed;
  const kinds = STUCK_KINDS.map((value) => [value, messages.stuckKinds[value]] as const);
  const states = ORDER_STATES.map((value) => [value, messages.states[value]] as const);
  const problem = filter.problem
    ? { ...filter.problem, text: messages[filter.problem.text] }
    : rangeProblem(dates, filter.asked);
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <RangePresets asked={filter.asked} all />
      <form method="get" action={path} class="inline" aria-label={messages.find}>
        <Choice name="state" label={messages.state} value={state} options={[['', messages.anyState], ...states]} />
        <Field name="receiver" label={messages.receiver} value={receiver} spellcheck={false} />
        <Field name="txid" label={messages.txid} value={txid} spellcheck={false} />
        {operating && (
          <Choice name="stuck" label={messages.stuck} value={stuck} options={[['', messages.stuckOrNot], ...kinds]} />
        )}
        {operating && <Field name="user" type="email" label={messages.user} value={user} />}
        <RangeFields asked={filter.asked} />
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
