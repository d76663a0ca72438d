import type { RestingWallet } from '../chain/pool/wallets/wallet-rests';
import { type Finding, finding } from './finding';

export function walletRefused({
  id,
  name,
  refusals,
  resting_until: until,
  last_refusal: last,
}: RestingWallet): Finding {
  const refused = { purpose: last?.purpose ?? '-', refused_for: last?.reason ?? '-' };
  return finding(
    'wallet_refused',
    { refusals: refusals.toString(), until: until?.toISOString() ?? '-', ...refused },
    { type: 'wallet', walletId: id, wallet: name },
  );
}
