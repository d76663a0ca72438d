import { WALLET_CAUSES, type WalletCause } from '../../common/wallet-causes';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import type { OpenFindings } from '../../findings/finding.statements';
import { castsDoubt } from '../../findings/wallet-doubts';

/** By wallet; the healthy are not in it. */
export function causesOf(
  { wallets, faults }: Pick<OrderOutlookView, 'wallets' | 'faults'>,
  findings: readonly OpenFindings[],
): ReadonlyMap<string, WalletCause> {
  const doubted = new Set(findings.filter(castsDoubt).map((found) => found.wallet_id));
  const causeOf = ({ id, state }: WalletRow): WalletCause | null => {
    if (doubted.has(id)) return state === 'active' ? 'despite' : 'quarantined';
    return state === 'active' ? (faults.get(id) ?? null) : state;
  };
  return new Map(
    wallets.flatMap((wallet) => {
      const cause = causeOf(wallet);
      return cause ? [[wallet.id, cause] as const] : [];
    }),
  );
}

/** The worst first, the healthy last, each as they were. */
export function sickFirst<Row extends WalletRow>(
  wallets: readonly Row[],
  causes: ReadonlyMap<string, WalletCause>,
): Row[] {
  const rank = ({ id }: WalletRow) => {
    const cause = causes.get(id);
    return cause ? WALLET_CAUSES.indexOf(cause) : WALLET_CAUSES.length;
  };
  return wallets.toSorted((a, b) => rank(a) - rank(b));
}
