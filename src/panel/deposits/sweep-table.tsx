import type { SweepState } from '../../deposits/sweeps/sweep-states';
import type { SweepView } from '../../deposits/sweeps/sweep.statements';
import { Badge, DataTable, LongId, useMessages } from '../layout/components';
import { DepositAmount } from './deposit-table';

const TONES: Readonly<Record<SweepState, 'good' | 'busy' | 'bad' | 'quiet'>> = {
  planned: 'quiet',
  signed: 'busy',
  sent: 'busy',
  included: 'busy',
  final: 'good',
  refused: 'bad',
  expired: 'quiet',
  failed: 'bad',
};

/** The newest alone: commands make them. */
export function SweepTable({ rows, explorer }: { rows: readonly SweepView[]; explorer: string | null }) {
  const messages = useMessages('deposit');
  return (
    <>
      <h2>{messages.sweeps}</h2>
      <p>{messages.sweepsText}</p>
      <DataTable
        name={messages.sweeps}
        rows={rows}
        empty={messages.noSweeps}
        list="sweeps"
        columns={[
          { name: messages.address, heading: true, cell: ({ address }) => <LongId value={address} /> },
          { name: messages.amount, numeric: true, cell: (row) => <DepositAmount row={row} /> },
          {
            name: messages.state,
            cell: ({ state }) => <Badge tone={TONES[state]}>{messages.sweepStates[state]}</Badge>,
          },
          {
            name: messages.txid,
            cell: ({ tx_id: txid }) => (
              <LongId
                value={txid}
                {...(explorer !== null && { href: `${explorer}${txid}`, elsewhere: messages.openElsewhere })}
              />
            ),
          },
          { name: messages.error, cell: ({ error }) => error },
        ]}
      />
    </>
  );
}
