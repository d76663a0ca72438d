import { ProblemOfForm, ProblemSummary, rowPlace, useFieldState, useMessages, useVisit } from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { addDays, type AskedRange, isDay, PRESETS } from './date-range';

interface Props {
  readonly asked: AskedRange;
}

interface Around {
  /** There is a list without a range too. */
  readonly all?: boolean;
  /** Where on the page the list is: `#ledger`. */
  readonly anchor?: string;
}

/** Where a list begins: another range begins with its first page. */
const PLACES = ['after', 'ledger', 'holds'].flatMap((place) => [place, rowPlace(place)]);

/** What the query of a page asks for besides the range. */
function restOfQuery(url: string): URLSearchParams {
  const query = new URLSearchParams(url.split('?')[1]);
  for (const name of ['from', 'to', 'days', 'lang', ...PLACES]) query.delete(name);
  return query;
}

/** Links to the common ranges; the rest of the query stays. */
export function RangePresets({ asked, all, anchor = '' }: Props & Around) {
  const { url } = useVisit();
  const messages = useMessages('date');
  const [path] = url.split('?') as [string];
  const link = (days: number | null) => {
    const query = restOfQuery(url);
    if (days !== null) query.set('days', String(days));
    return `${path}${query.size > 0 ? `?${query.toString()}` : ''}${anchor}`;
  };
  const isAll = asked.range === null && asked.problem === null;
  return (
    <>
      {asked.range && (
        <p class="on-paper">{messages.printed(asked.range.from, addDays(asked.range.to, -1), asked.timeZone)}</p>
      )}
      <nav class="presets" aria-label={messages.range}>
        {all && (
          <a href={link(null)} aria-current={isAll ? 'true' : undefined}>
            {messages.all}
          </a>
        )}
        {PRESETS.map((days) => (
          <a key={days} href={link(days)} aria-current={asked.preset === days ? 'true' : undefined}>
            {messages.presets[days]}
          </a>
        ))}
      </nav>
    </>
  );
}

/** The two dates, for a form that has other fields too. */
export function RangeFields({ asked }: Props) {
  const messages = useMessages('date');
  return (
    <>
      <DateField name="from" label={messages.from(asked.timeZone)} value={asked.typed.from} />
      <DateField name="to" label={messages.to(asked.timeZone)} value={asked.typed.to} />
    </>
  );
}

/** A form of the two dates alone; the rest of the query stays. */
export function RangeForm({ asked, action, all, anchor = '' }: Props & Around & { readonly action: string }) {
  const { url } = useVisit();
  const messages = useMessages('date');
  const problem = rangeProblem(messages, asked);
  return (
    <ProblemOfForm.Provider value={problem}>
      <ProblemSummary problem={problem} />
      <div class="ranges">
        <RangePresets {...{ asked, all, anchor }} />
        <form method="get" action={action + anchor} class="inline" aria-label={messages.range}>
          {[...restOfQuery(url)].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <RangeFields asked={asked} />
          <button type="submit" class="secondary">
            {messages.show}
          </button>
        </form>
      </div>
    </ProblemOfForm.Provider>
  );
}

export function rangeProblem(messages: Messages['date'], { problem }: AskedRange) {
  return problem ? { field: problem.field, text: messages[problem.text] } : undefined;
}

/** Browsers take nothing but a date for its value; what else was asked for, the problem says. */
function DateField({ name, label, value }: { name: string; label: string; value: string }) {
  const id = `field-${name}`;
  return (
    <div class="field date">
      <label for={id}>{label}</label>
      <input type="date" id={id} name={name} value={isDay(value) ? value : ''} {...useFieldState(name, {})} />
    </div>
  );
}
