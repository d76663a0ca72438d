import type { Diagnosis } from '../../chain/pool/doctor/diagnosis';
import type { FindingRow } from '../../findings/finding.statements';
import { castsDoubt } from '../../findings/wallet-doubts';
import type { WalletDetailsView } from './wallet-details';

/** With these the wallet can sign nothing that an order needs. */
const CANNOT_SIGN = new Set(['wrong_key', 'no_account', 'missing_permission']);

export interface Objections {
  readonly doubts: readonly FindingRow[];
  readonly diagnosis: readonly Diagnosis[];
  /** It takes the operator's reason to resume it all the same. */
  readonly grave: boolean;
}

/** What speaks against giving a wallet new orders. */
export function objectionsTo({ findings, quarantined, diagnosis }: WalletDetailsView): Objections {
  const doubts = findings.filter(castsDoubt);
  const cannotSign = diagnosis?.some(({ kind }) => CANNOT_SIGN.has(kind)) ?? false;
  return { doubts, diagnosis: diagnosis ?? [], grave: doubts.length > 0 || quarantined || cannotSign };
}
