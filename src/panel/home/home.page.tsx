import type { Balance } from '../../balance/balance.service';
import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import type { OrderCounts } from '../../reporting/reports/order-report';
import { CustomerSteps } from '../first-run/customer-steps';
import type { CustomerStep, Step } from '../first-run/first-run';
import {
  CodeLink,
  DataTable,
  GetButton,
  groupDigits,
  Instant,
  percentOf,
  shortTrx,
  Tile,
  useMessages,
  useVisit,
} from '../layout/components';
import { Advice } from '../messages/advice';
import { textOfCode } from '../messages/code-text';
import { TOP_UP, TopUpText } from '../money/top-up-text';
import { FAILURES_PATH, REFUSED_PATH } from '../refusals/refused-attempt.page';
import type { Failure } from './newest-failures';

interface Props {
  readonly balance: Balance;
  /** For one transaction. */
  readonly priceSun: bigint;
  /** On the reader's day. */
  readonly today: OrderCounts;
  /** In the last seven days. */
  readonly failures: readonly Failure[];
  /** Until the first order. */
  readonly steps: readonly Step<CustomerStep>[] | null;
  readonly baseUrl: string;
}

/** The first page of customers. */
export function HomePage({ balance, priceSun, today, failures, steps, baseUrl }: Props) {
  const messages = useMessages('home');
  const { orders, succeeded, failed, charged_sun: chargedSun, energy } = today;
  return (
    <>
      <h1>{messages.title}</h1>
      <CustomerSteps steps={steps} baseUrl={baseUrl} />
      <div class="tiles">
        <Tile
          name={messages.available}
          value={shortTrx(balance.availableSun)}
          note={messages.held(shortTrx(balance.heldSun))}
        />
        <Tile
          name={messages.price}
          value={shortTrx(priceSun)}
          note={messages.priceNote(groupDigits(ENERGY_PER_TRANSACTION))}
        />
        <Tile
          name={messages.orders}
          value={groupDigits(orders)}
          note={messages.ordersNote(groupDigits(energy), shortTrx(chargedSun))}
        />
        <Tile
          name={messages.success}
          value={percentOf(succeeded, succeeded + failed) ?? '–'}
          note={messages.successNote(groupDigits(succeeded), groupDigits(failed))}
        />
      </div>
      {/* Until then, a step says the same. */}
      {steps === null && <TopUp />}
      <h2>{messages.failures}</h2>
      <FailureTable failures={failures} />
      <p class="buttons">
        <a href="/panel/orders">{messages.allOrders}</a>
        <a href={REFUSED_PATH}>{messages.allRefused}</a>
        <a href={FAILURES_PATH}>{useMessages('refusal').all}</a>
      </p>
    </>
  );
}

function TopUp() {
  const { deposits, text } = useVisit().topUp;
  const messages = useMessages('home');
  return (
    <>
      <h2>{useMessages('money').topUp}</h2>
      {deposits ? <GetButton action={TOP_UP} text={useMessages('deposit').title} /> : <TopUpText />}
      {!deposits && text === undefined && <p>{messages.askOperator}</p>}
    </>
  );
}

function FailureTable({ failures }: Pick<Props, 'failures'>) {
  const messages = useMessages('home');
  const answers = useMessages('answer');
  return (
    <DataTable
      name={messages.failures}
      rows={failures}
      empty={messages.noFailures}
      columns={[
        { name: messages.at, cell: ({ at }) => <Instant at={at} /> },
        {
          name: messages.why,
          heading: true,
          cell: ({ code }) => (
            <div class="sentence">
              {code === null ? messages.neverLanded : (textOfCode(code, answers.codes) ?? code)}{' '}
              <strong>{answers.notCharged.user}</strong>
              {code !== null && (
                <small class="under">
                  <Advice code={code} /> <CodeLink code={code} />
                </small>
              )}
            </div>
          ),
        },
        {
          name: messages.order,
          cell: ({ orderId }) =>
            orderId === null ? messages.noOrder : <a href={`/panel/orders/${orderId}`}>{messages.see}</a>,
        },
      ]}
    />
  );
}
