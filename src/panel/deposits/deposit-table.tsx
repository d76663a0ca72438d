import { formatTrx, trxLiteral } from '../../common/money/sun';
import type { DepositState } from '../../deposits/deposit-states';
import type { DepositView } from '../../deposits/deposit-view';
import { Badge, type Column, Instant, LongId, Trx } from '../layout/components';
import { useMessages } from '../layout/current-visit';
import type { Messages } from '../messages/catalogues';

type Texts = Messages['deposit'];

const TONES = { seen: 'busy', credited: 'good', too_small: 'quiet', waiting: 'busy', dropped: 'quiet' } as const;

export function DepositBadge({ state }: { state: DepositState }) {
  return <Badge tone={TONES[state]}>{useMessages('deposit').states[state]}</Badge>;
}

/** Both assets have six places. */
export function DepositAmount({ row: { amount, asset } }: { row: Pick<DepositView, 'amount' | 'asset'> }) {
  return (
    <>
      <Trx sun={amount} /> {asset}
    </>
  );
}

/** Columns of customers and operators alike. `explorer`: what a txid is appended to; null where the chain has none. */
export function depositColumns(messages: Texts, explorer: string | null) {
  return {
    seenAt: { name: messages.seenAt, cell: ({ seen_at: at }) => <Instant at={at} /> },
    state: { name: messages.state, cell: ({ state }) => <DepositBadge state={state} /> },
    amount: { name: messages.amount, numeric: true, heading: true, cell: (row) => <DepositAmount row={row} /> },
    confirmations: { name: messages.confirmations, numeric: true, cell: ({ confirmations }) => confirmations },
    credited: {
      name: messages.credited,
      numeric: true,
      cell: ({ credited_sun: credited, rate_sun: rate }) =>
        credited !== null && (
          <>
            <Trx sun={credited} />
            {rate !== null && <small class="beneath">{messages.atRate(trxLiteral(rate))}</small>}
          </>
        ),
    },
    txid: {
      name: messages.txid,
      minor: true,
      cell: ({ txid }) =>
        txid === null ? (
          messages.byHand
        ) : (
          <LongId
            value={txid}
            {...(explorer !== null && { href: `${explorer}${txid}`, elsewhere: messages.openElsewhere })}
          />
        ),
    },
  } satisfies Record<string, Column<DepositView>>;
}

/** For a title or an outcome. */
export const amountText = ({ amount, asset }: Pick<DepositView, 'amount' | 'asset'>) => `${formatTrx(amount)} ${asset}`;
