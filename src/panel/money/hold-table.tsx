import { transactionsLiteral } from '../../billing/energy-amount';
import type { ListedHold } from '../../billing/hold-list.repository';
import { Instant, ListTable, LongId, type PageOf, Trx, useMessages } from '../layout/components';

/** What is promised to orders that are not settled yet, newest first. */
export function HoldTable({ page, orderPath, empty }: { page: PageOf<ListedHold>; orderPath: string; empty: string }) {
  const messages = useMessages('money');
  return (
    <ListTable
      name={messages.holds}
      page={page}
      empty={empty}
      list="holds"
      columns={[
        {
          name: messages.order,
          heading: true,
          cell: (row) => <LongId value={row.delegationId} href={`${orderPath}/${row.delegationId}`} />,
        },
        { name: messages.amount, numeric: true, cell: (row) => <Trx sun={row.amountSun} /> },
        { name: messages.quota, numeric: true, cell: (row) => transactionsLiteral(row.quotaEnergy) },
        { name: messages.since, cell: (row) => <Instant at={row.createdAt} /> },
      ]}
    />
  );
}
