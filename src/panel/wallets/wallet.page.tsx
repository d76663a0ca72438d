import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { energyOfStake, type EnergyRate } from '../../chain/energy';
import { lendableSun } from '../../chain/wallets/fees';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import type { OrderOutlookView } from '../../delegation/lookup/order-outlook';
import type { SignedInPageContext } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Problem } from '../layout/fields';
import { Badge, groupDigits, Instant, Trx } from '../layout/values';
import { OPERATOR_MESSAGES } from '../messages/operator.messages';
import { NewOrdersNow } from '../order-switch/new-orders-now';
import { OrderSwitchForm } from '../order-switch/order-switch.form';
import { WalletActions } from './wallet-actions';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly rate: EnergyRate | null;
  readonly stale: boolean;
  readonly orders: OrderOutlookView;
}

const TONES = { active: 'good', paused: 'busy', draining: 'quiet' } as const;

export function WalletPage(props: Props) {
  const messages = OPERATOR_MESSAGES[props.pageContext.locale];
  return (
    <>
      <h1>{messages.wallets}</h1>
      <p>{messages.walletsText}</p>
      <NewOrdersNow pageContext={props.pageContext} orders={props.orders} />
      <Problem>{props.stale && props.orders.wallets.length > 0 ? messages.stale : null}</Problem>
      <DataTable
        pageContext={props.pageContext}
        name={messages.wallets}
        rows={props.orders.wallets}
        columns={columns(props)}
        empty={<p>{messages.noWallets}</p>}
      />
      <OrderSwitchForm pageContext={props.pageContext} state={props.orders.switch} />
    </>
  );
}

function columns({ pageContext, rate }: Props): Column<WalletRow>[] {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  return [
    { name: messages.name, heading: true, cell: ({ name }) => name },
    {
      name: messages.state,
      cell: ({ state, rests, resting_until: until, last_refusal: last }) => (
        <>
          <Badge tone={TONES[state]}>{messages.states[state]}</Badge>
          {rests && until && (
            <>
              <p>
                {messages.restsUntil} <Instant at={until} />
              </p>
              <p>{last?.reason}</p>
            </>
          )}
        </>
      ),
    },
    { name: messages.role, cell: ({ role }) => messages.roles[role] },
    { name: messages.actions, cell: (row) => <WalletActions pageContext={pageContext} wallet={row} /> },
    { name: messages.largest, numeric: true, cell: (row) => groupDigits(largestOrder(row, rate)) },
    { name: messages.stake, numeric: true, cell: (row) => <Trx sun={row.stake_sun} /> },
    { name: messages.delegable, numeric: true, cell: (row) => <Trx sun={row.delegable_sun} /> },
    { name: messages.reserved, numeric: true, cell: (row) => <Trx sun={row.reserved_sun} /> },
    { name: messages.liquid, numeric: true, cell: (row) => <Trx sun={row.balance_sun} /> },
    { name: messages.bandwidth, numeric: true, cell: (row) => groupDigits(row.bandwidth) },
    { name: messages.due, numeric: true, cell: (row) => groupDigits(row.transactions_due) },
    { name: messages.address, cell: ({ address }) => <code>{address}</code> },
    {
      name: messages.asOf,
      cell: (row) =>
        row.observed_at === null ? (
          messages.notRead
        ) : (
          <>
            {row.observed_block.toString()}, <Instant at={row.observed_at} />
          </>
        ),
    },
  ];
}

/** In whole transactions: more than no single wallet can cover. */
function largestOrder(wallet: WalletRow, rate: EnergyRate | null): bigint {
  if (!rate || wallet.role !== 'delegate') return 0n;
  return energyOfStake(lendableSun(wallet), rate) / ENERGY_PER_TRANSACTION;
}
