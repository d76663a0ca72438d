import type { RestingWallet } from '../chain/wallets/wallet-rests';
import type { Finding } from './finding';

export function walletRefused({ name, refusals, resting_until: until, last_refusal: last }: RestingWallet): Finding {
  return {
    kind: 'wallet_refused',
    subject: name,
    reason: `refusals in a row: ${refusals}; no new orders until ${until?.toISOString()}; its ${last?.purpose} was refused for ${last?.reason}`,
    next_step:
      'Check its key, permission, bandwidth and TRX (doctor); pool:resume ends the rest, else it is tried again.',
  };
}
