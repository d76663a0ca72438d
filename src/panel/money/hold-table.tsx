import { transactionsLiteral } from '../../billing/energy-amount';
import type { ListedHold } from '../../billing/hold-list.repository';
import type { SignedInPageContext } from '../http/page-context';
import { DataTable } from '../layout/data-table';
import { LongId } from '../layout/long-id';
import { Pager, type PageOf } from '../layout/pager';
import { Instant, Trx } from '../layout/values';
import { MONEY_MESSAGES } from '../messages/money.messages';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly page: PageOf<ListedHold>;
  readonly orderPath: string;
  readonly empty: string;
}

/** What is promised to orders that are not settled yet, newest first. */
export function HoldTable({ pageContext, page, orderPath, empty }: Props) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return (
    <>
      <DataTable
        pageContext={pageContext}
        name={messages.holds}
        rows={page.rows}
        empty={<p>{empty}</p>}
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
      <Pager pageContext={pageContext} page={page} list="holds" />
    </>
  );
}
