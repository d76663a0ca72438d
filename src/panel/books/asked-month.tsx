import { addMonths, monthOf, readMonth } from '../../reporting/books/book-range';
import type { MomentRange } from '../../reporting/reports/utc-days';
import { type Form, textOf } from '../http/form';
import { PanelError } from '../http/panel-errors';
import { ProblemOfForm, ProblemSummary, useFieldState, useMessages } from '../layout/components';

/** The month that a page is asked for; without one, the month that has begun. */
export interface AskedMonth {
  readonly month: string;
  /** Null: what was asked for is no month. */
  readonly range: MomentRange | null;
  /** It is not over: the page shows it as it is now. */
  readonly isOpen: boolean;
}

export function readAskedMonth(query: Form, now = new Date()): AskedMonth {
  const month = textOf(query, 'month') || monthOf(now);
  const range = readMonth(month);
  return { month, range, isOpen: range !== null && range.to > now };
}

/** For a file. @throws PanelError not-found for a month that is none */
export function rangeOfMonth({ range }: AskedMonth): MomentRange {
  if (!range) throw new PanelError('not-found');
  return range;
}

export function MonthForm({ asked, path }: { asked: AskedMonth; path: string }) {
  const messages = useMessages('books');
  const problem = asked.range ? undefined : { field: 'month', text: messages.badMonth };
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <div class="ranges">
        {asked.range && (
          <nav class="presets" aria-label={messages.month}>
            <a href={`${path}?month=${addMonths(asked.month, -1)}`}>{messages.before}</a>
            {!asked.isOpen && <a href={`${path}?month=${addMonths(asked.month, 1)}`}>{messages.after}</a>}
          </nav>
        )}
        <form method="get" action={path} class="inline" aria-label={messages.month}>
          <MonthField value={asked.range ? asked.month : ''} />
          <button type="submit" class="secondary">
            {messages.show}
          </button>
        </form>
      </div>
    </ProblemOfForm.Provider>
  );
}

function MonthField({ value }: { value: string }) {
  const messages = useMessages('books');
  return (
    <div class="field date">
      <label for="field-month">{messages.month}</label>
      <input type="month" id="field-month" name="month" value={value} {...useFieldState('month', {})} />
    </div>
  );
}
