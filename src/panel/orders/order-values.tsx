import type { DelegationState } from '../../delegation/delegation.states';
import { Badge } from '../layout/values';
import type { OrderWords } from './order.words';

const TONES: Readonly<Record<DelegationState, 'good' | 'busy' | 'bad' | 'quiet'>> = {
  pending: 'busy',
  activating: 'busy',
  sent: 'busy',
  included: 'busy',
  delegated: 'good',
  reclaiming: 'good',
  reclaimed: 'quiet',
  failed: 'bad',
  taking_back: 'bad',
  taken_back: 'bad',
};

export function StateBadge({ state, words }: { state: DelegationState; words: OrderWords }) {
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}

interface TransactionLinkProps {
  readonly txid: string | null;
  readonly explorer: string | null;
  readonly words: OrderWords;
  /** In a table: enough of it to recognise. */
  readonly short?: boolean;
}

export function TransactionLink({ txid, explorer, words, short }: TransactionLinkProps) {
  if (txid === null) return <>{words.notYet}</>;
  const shown = <code title={txid}>{short ? `${txid.slice(0, 12)}…` : txid}</code>;
  if (explorer === null) return shown;
  return (
    <a href={`${explorer}${txid}`} rel="noreferrer" target="_blank" title={words.explorer}>
      {shown}
    </a>
  );
}
