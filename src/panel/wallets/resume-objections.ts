import type { Diagnosis } from '../../chain/doctor/diagnosis';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import type { FindingRow } from '../../findings/finding.statements';
import { castsDoubt } from '../../findings/wallet-doubts';
import type { WalletDetailsView } from './wallet-details';

/** With these the wallet can sign nothing that an order needs. */
const CANNOT_SIGN = new Set(['wrong_key', 'no_account', 'missing_permission']);

export interface Objections {
  readonly doubts: readonly FindingRow[];
  readonly diagnosis: readonly Diagnosis[];
  /** It was the reconciler that paused it. What was found may have gone since: somebody may have covered the tracks. */
  readonly quarantined: boolean;
  /** It takes the operator's reason to resume it all the same. */
  readonly grave: boolean;
}

/** What speaks against giving a wallet new orders. */
export function objectionsTo({ state }: WalletRow, { findings, setBy, diagnosis }: WalletDetailsView): Objections {
  const doubts = findings.filter(castsDoubt);
  const quarantined = state !== 'active' && setBy?.service === 'reconciler';
  const cannotSign = diagnosis?.some(({ kind }) => CANNOT_SIGN.has(kind)) ?? false;
  return { doubts, diagnosis: diagnosis ?? [], quarantined, grave: doubts.length > 0 || quarantined || cannotSign };
}
