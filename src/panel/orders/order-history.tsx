import type { HistoryEntry } from '../../delegation/lookup/order-lookup';
import { inTrx } from '../../common/money/in-trx';
import type { SignedInVisit } from '../http/page-context';
import { DataTable } from '../layout/data-table';
import { Pager, type PageOf } from '../layout/pager';
import { Instant } from '../layout/values';
import { eventName } from './event-name';
import { ORDER_WORDS } from '../messages/order.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly history: PageOf<HistoryEntry>;
  readonly operating: boolean;
}

/** What its user may read of an event; how the service is run (nodes, wallets, errors) is for operators. */
const FOR_USERS = ['txid', 'block', 'answer', 'code', 'outcome'];

export function OrderHistory({ visit, history, operating }: Props) {
  const words = ORDER_WORDS[visit.locale];
  return (
    <>
      <h2 id="history">{words.history}</h2>
      <DataTable
        visit={visit}
        name={words.history}
        rows={history.rows}
        empty={<p>{words.noHistory}</p>}
        list="history"
        columns={[
          { name: words.time, cell: ({ at }) => <Instant at={at} /> },
          { name: words.what, heading: true, cell: ({ kind }) => eventName(kind, visit.locale) },
          { name: words.details, cell: ({ detail }) => <Detail detail={operating ? detail : visible(detail)} /> },
        ]}
      />
      <Pager visit={visit} next={history.next} list="history" newestFirst={false} />
    </>
  );
}

function visible(detail: HistoryEntry['detail']): HistoryEntry['detail'] {
  return Object.fromEntries(Object.entries(detail).filter(([name]) => FOR_USERS.includes(name)));
}

export function Detail({ detail }: { detail: Record<string, unknown> }) {
  const entries = Object.entries(inTrx(detail)).filter(([, value]) => value !== null);
  if (entries.length === 0) return null;
  return (
    <code class="breakable">
      {entries
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join('\n')}
    </code>
  );
}
