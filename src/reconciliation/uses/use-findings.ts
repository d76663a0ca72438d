import { toBase58Address } from '../../chain/tron/addresses';
import type { FoundAct } from '../../chain/observer/block-acts';
import type { ActKind } from '../../chain/proof/account-act';
import { ACTIVATION_SUN } from '../../chain/pool/wallets/fees';
import type { WalletRole } from '../../chain/transactions/signing/wallet-role';
import { type Finding, finding } from '../../findings/finding';
import type { WalletTransactionSubject } from '../../common/finding-subject';
import type { WalletUse } from './use-search';

/** Its owner's own, most likely, or without harm: everything else may be a thief's. */
const NOTED: ReadonlySet<string> = new Set<ActKind>(['vote', 'claim', 'freezing', 'withdrawal']);

/** The wallet takes no orders until somebody has acknowledged it. */
export function pausesWallet({ code }: Finding): boolean {
  return code === 'wallet_used';
}

/** History: no operator has to do anything about it. */
export function isNoted(found: Finding): found is Finding<WalletTransactionSubject> {
  return found.code === 'wallet_act';
}

/** What the service itself signs with a wallet of this role: a row that is missing may have been of it. */
export function isAsOurs({ kind, sun, isPlainEnergy }: FoundAct, role: WalletRole): boolean {
  if (role === 'activate') return kind === 'transfer' && sun === ACTIVATION_SUN;
  return (kind === 'delegation' || kind === 'undelegation') && isPlainEnergy;
}

export function findingsOf(use: WalletUse): Finding[] {
  const { walletId, wallet, differences, blocks } = use;
  const acts = use.acts.map((act) => ofAct(use, act));
  if (differences.length === 0) return acts;
  const parameters = {
    changed: differences.map(({ field, before, after }) => `${field} ${before} ${after}`).join(', '),
    from_block: String(blocks.from),
    to_block: String(blocks.to),
    unread: String(blocks.unread),
  };
  const about = { type: 'wallet_blocks', id: `${blocks.from}-${blocks.to}`, walletId, wallet } as const;
  return [...acts, finding('wallet_changed', parameters, about, 0n)];
}

export function ofAct(
  { walletId, wallet }: WalletUse,
  { txId, kind, block, timeMs, receiver, sun }: FoundAct,
): Finding {
  const to = receiver === null ? null : toBase58Address(receiver);
  const parameters = {
    tx_id: txId,
    act: kind,
    at: new Date(timeMs).toISOString(),
    block: String(block),
    wallet,
    receiver: to ?? '-',
    amount_sun: sun === null ? '-' : String(sun),
  };
  const about = { type: 'wallet_transaction', id: txId, walletId, wallet, receiver: to } as const;
  return finding(NOTED.has(kind) ? 'wallet_act' : 'wallet_used', parameters, about, 0n);
}
