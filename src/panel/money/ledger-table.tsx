import type { LedgerEntryView } from '../../balance/ledger.service';
import type { SignedInPageContext } from '../http/page-context';
import { DataTable } from '../layout/data-table';
import { LongId } from '../layout/long-id';
import { Pager, type PageOf } from '../layout/pager';
import { Instant, Trx } from '../layout/values';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { shownReference } from './reference';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly ledger: PageOf<LedgerEntryView>;
  readonly orderPath: string;
  readonly empty: string;
}

/** Newest first, each entry with the balance after it. */
export function LedgerTable({ pageContext, ledger, orderPath, empty }: Props) {
  const messages = MONEY_MESSAGES[pageContext.locale];
  return (
    <>
      <DataTable
        pageContext={pageContext}
        name={messages.ledger}
        rows={ledger.rows}
        empty={<p>{empty}</p>}
        list="ledger"
        columns={[
          { name: messages.at, cell: ({ at }) => <Instant at={at} /> },
          { name: messages.kind, cell: ({ kind }) => messages[kind] },
          { name: messages.amount, numeric: true, cell: ({ amountSun }) => <Trx sun={amountSun} signed /> },
          { name: messages.running, numeric: true, cell: ({ balanceSun }) => <Trx sun={balanceSun} /> },
          {
            name: messages.order,
            cell: ({ delegationId }) =>
              delegationId && <LongId value={delegationId} href={`${orderPath}/${delegationId}`} />,
          },
          { name: messages.note, cell: ({ note }) => note },
          { name: messages.reference, minor: true, cell: ({ reference }) => shownReference(reference) },
        ]}
      />
      <Pager pageContext={pageContext} next={ledger.next} list="ledger" />
    </>
  );
}
