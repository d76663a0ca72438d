import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { ORDER_STATES } from '../../common/order.states';
import { RangeFields, RangePresets, rangeProblem } from '../dates/date-range.form';
import { Choice, Field, FilterFold, fromTheFirstPage, GetForm, useMessages, useVisit } from '../layout/components';
import type { OrderFilter } from './order.filter';

interface Props {
  readonly path: string;
  readonly filter: OrderFilter;
  readonly operating: boolean;
}

export function OrderFilterForm({ path, filter, operating }: Props) {
  const dates = useMessages('date');
  const messages = useMessages('order');
  const { state, stuck } = filter.typed;
  const kinds = STUCK_KINDS.map((value) => [value, messages.stuckKinds[value]] as const);
  const states = ORDER_STATES.map((value) => [value, messages.states[value]] as const);
  const problem = filter.problem
    ? { ...filter.problem, text: messages[filter.problem.text] }
    : rangeProblem(dates, filter.asked);
  return (
    <div class="narrowing">
      <RangePresets asked={filter.asked} all />
      <TroubleLink on={filter.typed.trouble !== ''} />
      <FilterFold open={filter.narrows}>
        <GetForm action={path} class="inline" label={messages.find} form={filter.typed} problem={problem}>
          {filter.sort !== 'newest' && <input type="hidden" name="sort" value={filter.sort} />}
          {filter.typed.trouble !== '' && <input type="hidden" name="trouble" value="yes" />}
          <Choice name="state" label={messages.state} value={state} options={[['', messages.anyState], ...states]} />
          <Field name="receiver" label={messages.receiver} spellcheck={false} />
          <Field name="txid" label={messages.txid} spellcheck={false} />
          {operating && (
            <Choice name="stuck" label={messages.stuck} value={stuck} options={[['', messages.stuckOrNot], ...kinds]} />
          )}
          {operating && <Field name="user" type="email" label={messages.user} />}
          <RangeFields asked={filter.asked} />
          <button type="submit" class="secondary">
            {messages.find}
          </button>
          {filter.active && (
            <a href={path} class="beside">
              {messages.clear}
            </a>
          )}
        </GetForm>
      </FilterFold>
    </div>
  );
}

/** Those alone that somebody may ask about; the rest of the filter stays. */
function TroubleLink({ on }: { on: boolean }) {
  const { url } = useVisit();
  const messages = useMessages('order');
  return (
    <nav class="presets" aria-label={messages.stuck}>
      <a href={fromTheFirstPage(url, { trouble: on ? null : 'yes' })} aria-current={on ? 'true' : undefined}>
        {messages.troubled}
      </a>
    </nav>
  );
}
