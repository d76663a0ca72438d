import type { LostByCode, LostByUser, Report } from '../../reporting/reports/order-report';
import { type Column, DataTable, groupDigits, percentOf, Trx, useMessages } from '../layout/components';
import { textOfCode } from '../messages/code-text';
import { userPath } from '../users/user-by-id.pipe';
import { type BandwidthCosts, type ChainCosts, EACH } from './costs';

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
        empty={messages.noOrders}
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
      empty={messages.noOrders}
      columns={[
        { name: messages.payer, heading: true, cell: ({ paidBy }) => messages.payers[paidBy] },
        { name: messages.orders, numeric: true, cell: (row) => groupDigits(row.orders) },
        { name: messages.charged, numeric: true, cell: (row) => <Trx sun={row.charged_sun} /> },
        { name: messages.energy, numeric: true, cell: (row) => groupDigits(row.energy) },
      ]}
    />
  );
}

/** By the chain's own fees, and by what nodes say was burned. */
export function CostTable({ costs, bandwidth }: { costs: ChainCosts; bandwidth: BandwidthCosts }) {
  const messages = useMessages('business');
  const { activations, transferredSun, accountFeesSun } = costs;
  const { read, burnedSun, unread, unreadAtMostSun } = bandwidth;
  const rows = [
    { name: messages.activationTransfer, count: activations, eachSun: EACH.transferredSun, sun: transferredSun },
    { name: messages.activationFee, count: activations, eachSun: EACH.accountFeesSun, sun: accountFeesSun },
    { name: messages.bandwidth, count: read, eachSun: null, sun: burnedSun },
    { name: messages.bandwidthUnread, count: unread, eachSun: EACH.unreadAtMostSun, sun: unreadAtMostSun },
  ];
  return (
    <DataTable
      name={messages.onChain}
      rows={rows}
      empty={null}
      columns={[
        { name: messages.cost, heading: true, cell: ({ name }) => name },
        { name: messages.count, numeric: true, cell: ({ count }) => groupDigits(count) },
        {
          name: messages.eachTrx,
          numeric: true,
          cell: ({ eachSun }) => (eachSun === null ? '–' : <Trx sun={eachSun} />),
        },
        { name: messages.sumTrx, numeric: true, cell: ({ sun }) => <Trx sun={sun} /> },
      ]}
    />
  );
}

/** What was refused and what failed, by reason. */
export function LostByCodeTable({ rows }: { rows: readonly LostByCode[] }) {
  const messages = useMessages('business');
  return <DataTable name={messages.lostByCode} rows={rows} empty={messages.noneLost} columns={useColumns()} />;
}

export function LostByUserTable({ rows }: { rows: readonly LostByUser[] }) {
  const messages = useMessages('business');
  const customer: Column<LostByUser> = {
    name: messages.user,
    heading: true,
    cell: ({ user_id: id, user }) => <a href={`${userPath({ id })}#lost`}>{user}</a>,
  };
  return (
    <DataTable name={messages.lostByUser} rows={rows} empty={messages.noneLost} columns={[customer, ...useColumns()]} />
  );
}

function useColumns(): Column<LostByCode>[] {
  const messages = useMessages('business');
  const answers = useMessages('answer');
  return [
    { name: messages.reason, cell: ({ code }) => <code>{code}</code> },
    { name: messages.meaning, cell: ({ code }) => textOfCode(code, answers.codes) ?? '–' },
    { name: messages.refusedColumn, numeric: true, cell: ({ refused }) => groupDigits(refused) },
    { name: messages.failedColumn, numeric: true, cell: ({ failed }) => groupDigits(failed) },
  ];
}
