import { DELEGATION_STATES } from '../../delegation/order.states';
import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { Choice, Field } from '../layout/fields';
import { ProblemOfForm, ProblemSummary } from '../layout/form-problem';
import type { OrderFilter } from './order.filter';
import type { OrderWords } from '../messages/order.messages';

interface Props {
  readonly path: string;
  readonly filter: OrderFilter;
  readonly words: OrderWords;
  readonly operating: boolean;
}

export function OrderFilterForm({ path, filter, words, operating }: Props) {
  const { state, receiver, txid, user, stuck } = filter.typed;
  const kinds = STUCK_KINDS.map((value) => [value, words.stuckKinds[value]] as const);
  const states = DELEGATION_STATES.map((value) => [value, words.states[value]] as const);
  const problem = filter.problem ? { ...filter.problem, text: words[filter.problem.text] } : undefined;
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <form method="get" action={path} class="inline" aria-label={words.find}>
        <Choice name="state" label={words.state} value={state} options={[['', words.anyState], ...states]} />
        <Field name="receiver" label={words.receiver} value={receiver} spellcheck={false} />
        <Field name="txid" label={words.txid} value={txid} spellcheck={false} />
        {operating && (
          <Choice name="stuck" label={words.stuck} value={stuck} options={[['', words.stuckOrNot], ...kinds]} />
        )}
        {operating && <Field name="user" type="email" label={words.user} value={user} />}
        <button type="submit" class="secondary">
          {words.find}
        </button>
        {filter.active && (
          <a href={path} class="beside">
            {words.clear}
          </a>
        )}
      </form>
    </ProblemOfForm.Provider>
  );
}
