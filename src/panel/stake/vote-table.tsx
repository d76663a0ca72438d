import { DataTable, groupDigits, LongId, useMessages } from '../layout/components';
import type { StakeDetailsView } from './stake-details';

/** The votes that are cast, and those that the care is to cast. */
export function VoteTable({ details }: { details: StakeDetailsView }) {
  const messages = useMessages('stake');
  const { figures, care, witnesses, isRead } = details;
  const given = new Map(figures.votes);
  const weights = new Map((care?.votes ?? []).map(({ witness, weight }) => [witness, weight]));
  const rows = [...new Set([...given.keys(), ...weights.keys()])].map((address) => ({
    address,
    shown: witnesses.get(address),
    votes: given.get(address),
    weight: weights.get(address),
  }));
  return (
    <>
      <DataTable
        name={messages.votes}
        rows={rows}
        columns={[
          {
            name: messages.witness,
            heading: true,
            cell: ({ address, shown }) => (
              <>
                {shown?.url} <LongId value={address} />
                {isRead && !shown && <small class="beneath">{messages.notCandidate}</small>}
                {shown && !shown.pays && <small class="beneath">{messages.paysNothing}</small>}
              </>
            ),
          },
          { name: messages.votesGiven, numeric: true, cell: ({ votes }) => groupDigits(votes ?? 0n) },
          { name: messages.weight, numeric: true, cell: ({ weight }) => weight ?? '–' },
          { name: messages.rank, numeric: true, minor: true, cell: ({ shown }) => shown?.rank ?? '–' },
          {
            name: messages.keeps,
            numeric: true,
            cell: ({ shown }) => (shown ? `${shown.keepsPercent} %` : '–'),
          },
          {
            name: messages.witnessYield,
            numeric: true,
            cell: ({ shown }) => (shown?.yieldPercent == null ? '–' : `${shown.yieldPercent.toFixed(2)} %`),
          },
        ]}
        empty={messages.noVotes}
      />
      <p class="caption">{messages.votesNote}</p>
    </>
  );
}
