import type { ComponentChildren } from 'preact';
import type { AttentionItem } from '../../notices/attention/attention-items';
import { dryText, glanceFacts, moreText } from '../../notices/glance/glance-facts';
import type { Glance } from '../../notices/glance/morning-glance';
import type { DryCustomer, QuietCustomer } from '../../reporting/glance/glance.repository';
import { Checklist } from '../first-run/checklist';
import type { FirstRun } from '../first-run/first-run';
import { Tile, useMessages } from '../layout/components';
import { useUserVisit } from '../layout/current-visit';
import { inZone } from '../layout/time-zone';
import { Attention } from '../overview/attention';

export const TODAY_PATH = '/panel/operator/today';

interface Props {
  readonly glance: Glance;
  readonly items: readonly AttentionItem[];
  readonly steps: Awaited<ReturnType<FirstRun['ofOperator']>>;
}

/** The first page of operators, without a table: it is read on a phone. */
export function TodayPage({ glance, items, steps }: Props) {
  return (
    <>
      <h1>{useMessages('glance').title}</h1>
      <Checklist steps={steps} />
      {/* Before the first order the checklist says what is wanting, and there is nothing to count. */}
      {steps === null && <Content glance={glance} items={items} />}
    </>
  );
}

function Content({ glance, items }: Omit<Props, 'steps'>) {
  const { messages, user } = useUserVisit();
  const texts = messages.glance;
  const dayOf = (at: Date) => (inZone(at, user.timeZone ?? 'UTC') ?? at.toISOString()).slice(0, 10);
  return (
    <>
      <Attention items={items} />
      <div class="tiles">
        {glanceFacts(messages, glance).map((fact) => (
          <Tile key={fact.name} {...fact} />
        ))}
      </div>
      <Customers name={texts.dry} named={glance.dry} none={texts.noneDry} rest="sort=need">
        {(one) => dryText(one, texts)}
      </Customers>
      <Customers name={texts.quiet} named={glance.quiet} none={texts.noneQuiet} rest="sort=spend">
        {({ lastOrderAt }) => texts.lastOrder(dayOf(lastOrderAt))}
      </Customers>
    </>
  );
}

interface CustomersProps<Customer> {
  readonly name: string;
  readonly named: readonly Customer[];
  readonly none: string;
  /** How the list of users shows the others. */
  readonly rest: string;
  readonly children: (customer: Customer) => ComponentChildren;
}

function Customers<Customer extends DryCustomer | QuietCustomer>({
  name,
  named,
  none,
  rest,
  children: aboutOf,
}: CustomersProps<Customer>) {
  const texts = useMessages('glance');
  const more = moreText(named, texts);
  return (
    <section>
      <h2>{name}</h2>
      {named.length === 0 ? (
        <p class="caption">{none}</p>
      ) : (
        <ul>
          {named.map((one) => (
            <li key={one.id}>
              <a href={`/panel/operator/users/${one.id}`}>{one.email}</a>
              <br />
              <small>{aboutOf(one)}</small>
            </li>
          ))}
          {more !== null && (
            <li>
              <a href={`/panel/operator/users?${rest}`}>{more}</a>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
