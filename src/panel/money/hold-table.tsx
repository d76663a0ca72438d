import { transactionsLiteral } from '../../billing/energy-amount';
import type { SignedInVisit } from '../http/page-context';
import { DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { Instant, Trx } from '../layout/values';
import type { HoldRow } from './money.queries';
import { MONEY_WORDS } from '../messages/money.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly page: PageOf<HoldRow>;
  readonly orderPath: string;
  readonly empty: string;
}

/** What is promised to orders that are not settled yet, newest first. */
export function HoldTable({ visit, page, orderPath, empty }: Props) {
  const words = MONEY_WORDS[visit.locale];
  return (
    <>
      <DataTable
        visit={visit}
        name={words.holds}
        rows={page.rows}
        empty={<p>{empty}</p>}
        list="holds"
        columns={[
          {
            name: words.order,
            heading: true,
            cell: (row) => (
              <a href={`${orderPath}/${row.delegation_id}`}>
                <code>{row.delegation_id}</code>
              </a>
            ),
          },
          { name: words.amount, numeric: true, cell: (row) => <Trx sun={row.amount_sun} /> },
          { name: words.quota, numeric: true, cell: (row) => transactionsLiteral(row.quota_energy) },
          { name: words.since, cell: (row) => <Instant at={row.created_at} /> },
        ]}
      />
      <Pager visit={visit} next={page.next} list="holds" />
    </>
  );
}
