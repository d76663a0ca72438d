import type { Report } from '../../reporting/reports/order-report';
import { DataTable, groupDigits, Trx, useMessages } from '../layout/components';
import { userPath } from '../users/user-by-id.pipe';
import { type Costs, EACH } from './costs';
import { percentOf } from './percent';

interface Props {
  readonly report: Report;
}

/** Who was charged most first. */
export function CustomerTable({ report: { users, total, customers } }: Props) {
  const messages = useMessages('business');
  return (
    <>
      <DataTable
        name={messages.byUser}
        rows={users}
        empty={<p>{messages.noOrders}</p>}
        columns={[
          {
            name: messages.user,
            heading: true,
            cell: ({ userId, user }) => <a href={userPath({ id: userId })}>{user}</a>,
          },
          { name: messages.orders, numeric: true, cell: (row) => groupDigits(row.orders) },
          {
            name: messages.rate,
            numeric: true,
            cell: (row) => percentOf(row.succeeded, row.succeeded + row.failed) ?? '–',
          },
          { name: messages.charged, numeric: true, cell: (row) => <Trx sun={row.charged_sun} /> },
          { name: messages.share, numeric: true, cell: (row) => percentOf(row.charged_sun, total.charged_sun) ?? '–' },
          { name: messages.energy, numeric: true, cell: (row) => groupDigits(row.energy) },
        ]}
      />
      {customers.all > users.length && (
        <p>
          <small>{messages.byUserMore(customers.all - users.length)}</small>
        </p>
      )}
    </>
  );
}

export function PayerTable({ report }: Props) {
  const messages = useMessages('business');
  return (
    <DataTable
      name={messages.byPayer}
      rows={report.payers}
      empty={<p>{messages.noOrders}</p>}
      columns={[
        { name: messages.payer, heading: true, cell: ({ paidBy }) => messages.payers[paidBy] },
        { name: messages.orders, numeric: true, cell: (row) => groupDigits(row.orders) },
        { name: messages.charged, numeric: true, cell: (row) => <Trx sun={row.charged_sun} /> },
        { name: messages.energy, numeric: true, cell: (row) => groupDigits(row.energy) },
      ]}
    />
  );
}

/** By the chain's own fees. */
export function CostTable({ costs }: { costs: Costs }) {
  const messages = useMessages('business');
  const { activations, transactions } = costs;
  const rows = [
    { name: messages.activationTransfer, count: activations, of: 'transferredSun' as const },
    { name: messages.activationFee, count: activations, of: 'accountFeesSun' as const },
    { name: messages.bandwidth, count: transactions, of: 'bandwidthAtMostSun' as const },
  ];
  return (
    <DataTable
      name={messages.onChain}
      rows={rows}
      empty={null}
      columns={[
        { name: messages.cost, heading: true, cell: ({ name }) => name },
        { name: messages.count, numeric: true, cell: ({ count }) => groupDigits(count) },
        { name: messages.eachTrx, numeric: true, cell: ({ of }) => <Trx sun={EACH[of]} /> },
        { name: messages.sumTrx, numeric: true, cell: ({ of }) => <Trx sun={costs[of]} /> },
      ]}
    />
  );
}
