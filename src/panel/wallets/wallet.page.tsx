import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { energyOfStake, type EnergyRate } from '../../chain/energy';
import { lendableSun } from '../../chain/wallets/fees';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import type { NewOrdersView } from '../../delegation/placing/new-orders';
import type { SignedInVisit } from '../http/page-context';
import { type Column, DataTable } from '../layout/data-table';
import { Problem } from '../layout/fields';
import { Badge, groupDigits, Instant, Trx } from '../layout/values';
import { NewOrdersNow } from '../order-switch/new-orders-now';
import { OPERATOR_WORDS } from '../messages/operator.messages';
import { OrderSwitchForm } from '../order-switch/order-switch.form';
import { WalletActions } from './wallet-actions';

interface Props {
  readonly visit: SignedInVisit;
  readonly rate: EnergyRate | null;
  readonly stale: boolean;
  readonly orders: NewOrdersView;
}

const TONES = { active: 'good', paused: 'busy', draining: 'quiet' } as const;

export function WalletPage(props: Props) {
  const words = OPERATOR_WORDS[props.visit.locale];
  return (
    <>
      <h1>{words.wallets}</h1>
      <p>{words.walletsText}</p>
      <NewOrdersNow visit={props.visit} orders={props.orders} />
      <Problem>{props.stale && props.orders.wallets.length > 0 ? words.stale : null}</Problem>
      <DataTable
        visit={props.visit}
        name={words.wallets}
        rows={props.orders.wallets}
        columns={columns(props)}
        empty={<p>{words.noWallets}</p>}
      />
      <OrderSwitchForm visit={props.visit} state={props.orders.switch} />
    </>
  );
}

function columns({ visit, rate }: Props): Column<WalletRow>[] {
  const words = OPERATOR_WORDS[visit.locale];
  return [
    { name: words.name, heading: true, cell: ({ name }) => name },
    {
      name: words.state,
      cell: ({ state, rests, resting_until: until, last_refusal: last }) => (
        <>
          <Badge tone={TONES[state]}>{words.states[state]}</Badge>
          {rests && until && (
            <>
              <p>
                {words.restsUntil} <Instant at={until} />
              </p>
              <p>{last?.reason}</p>
            </>
          )}
        </>
      ),
    },
    { name: words.role, cell: ({ role }) => words.roles[role] },
    { name: words.actions, cell: (row) => <WalletActions visit={visit} wallet={row} /> },
    { name: words.largest, numeric: true, cell: (row) => groupDigits(largestOrder(row, rate)) },
    { name: words.stake, numeric: true, cell: (row) => <Trx sun={row.stake_sun} /> },
    { name: words.delegable, numeric: true, cell: (row) => <Trx sun={row.delegable_sun} /> },
    { name: words.reserved, numeric: true, cell: (row) => <Trx sun={row.reserved_sun} /> },
    { name: words.liquid, numeric: true, cell: (row) => <Trx sun={row.balance_sun} /> },
    { name: words.bandwidth, numeric: true, cell: (row) => groupDigits(row.bandwidth) },
    { name: words.due, numeric: true, cell: (row) => groupDigits(row.transactions_due) },
    { name: words.address, cell: ({ address }) => <code>{address}</code> },
    {
      name: words.asOf,
      cell: (row) =>
        row.observed_at === null ? (
          words.notRead
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
