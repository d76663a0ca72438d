import { inTrx } from '../../common/money/in-trx';
import type { HistoryEntry } from '../../delegation/order-histories';
import { Instant, ListTable, type PageOf, useMessages } from '../layout/components';

/** Users read only these kinds of event; nodes, wallets and errors are for operators. */
const FOR_USERS = ['request_id', 'txid', 'block', 'answer', 'code', 'outcome'];

export function OrderHistory({ history, operating }: { history: PageOf<HistoryEntry>; operating: boolean }) {
  const messages = useMessages('order');
  return (
    <>
      <h2 id="history">{messages.history}</h2>
      <ListTable
        name={messages.history}
        page={history}
        empty={messages.noHistory}
        list="history"
        columns={[
          { name: messages.time, cell: ({ at }) => <Instant at={at} form="exact" /> },
          { name: messages.what, heading: true, cell: ({ kind }) => messages.event(kind) },
          { name: messages.details, cell: ({ detail }) => <Detail detail={operating ? detail : visible(detail)} /> },
        ]}
        newestFirst={false}
      />
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
