import type { OperationRow, OperationState } from '../../stake-care/stake-operation';
import { Badge, DataTable, Instant, LongId, Trx, useMessages } from '../layout/components';

const TONES = {
  planned: 'busy',
  signed: 'busy',
  sent: 'busy',
  refused: 'bad',
  included: 'busy',
  final: 'good',
  failed: 'bad',
} as const satisfies Record<OperationState, string>;

interface Props {
  readonly operations: readonly OperationRow[];
  readonly explorer: string | null;
}

/** What was done with a stake, the newest first. */
export function OperationTable({ operations, explorer }: Props) {
  const messages = useMessages('stake');
  return (
    <DataTable
      name={messages.operations}
      rows={operations}
      columns={[
        { name: messages.at, cell: (row) => <Instant at={row.created_at} /> },
        {
          name: messages.kind,
          heading: true,
          cell: ({ kind, resource }) => (
            <>
              {messages.names[kind]}
              {resource && <small class="beneath">{messages.resources[resource]}</small>}
            </>
          ),
        },
        {
          name: messages.amount,
          numeric: true,
          cell: (row) => (row.kind === 'vote' || row.amount_sun === null ? '–' : <Trx sun={row.amount_sun} />),
        },
        { name: messages.state, cell: ({ state }) => <Badge tone={TONES[state]}>{messages.states[state]}</Badge> },
        { name: messages.error, cell: ({ error }) => error && <span lang="en">{error}</span> },
        { name: messages.by, minor: true, cell: (row) => row.requested_by },
        {
          name: messages.transaction,
          cell: ({ tx_id: txId }) =>
            txId && <LongId value={txId} href={explorer === null ? undefined : `${explorer}${txId}`} />,
        },
      ]}
      empty={messages.noOperations}
    />
  );
}
