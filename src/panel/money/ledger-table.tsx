import type { LedgerEntryView } from '../../balance/ledger.service';
import type { SignedInVisit } from '../http/page-context';
import { DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { Instant, Trx } from '../layout/values';
import { MONEY_WORDS } from '../messages/money.messages';
import { shownReference } from './reference';

interface Props {
  readonly visit: SignedInVisit;
  readonly ledger: PageOf<LedgerEntryView>;
  readonly orderPath: string;
  readonly empty: string;
}

/** Newest first, each entry with the balance after it. */
export function LedgerTable({ visit, ledger, orderPath, empty }: Props) {
  const words = MONEY_WORDS[visit.locale];
  return (
    <>
      <DataTable
        visit={visit}
        name={words.ledger}
        rows={ledger.rows}
        empty={<p>{empty}</p>}
        list="ledger"
        columns={[
          { name: words.at, cell: ({ at }) => <Instant at={at} /> },
          { name: words.kind, cell: ({ kind }) => words[kind] },
          { name: words.amount, numeric: true, cell: ({ amountSun }) => <Trx sun={amountSun} signed /> },
          { name: words.running, numeric: true, cell: ({ balanceSun }) => <Trx sun={balanceSun} /> },
          {
            name: words.order,
            cell: ({ delegationId }) =>
              delegationId && (
                <a href={`${orderPath}/${delegationId}`}>
                  <code>{delegationId}</code>
                </a>
              ),
          },
          { name: words.note, cell: ({ note }) => note },
          { name: words.reference, cell: ({ reference }) => shownReference(reference) },
        ]}
      />
      <Pager visit={visit} next={ledger.next} list="ledger" />
    </>
  );
}
