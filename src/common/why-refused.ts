import type { ErrorCode } from './errors/error-codes';

/** What keeps orders out. `other`: what the wallets' rows do not show. */
export type WhyRefused =
  | 'node'
  | 'restored'
  | 'switch'
  | 'noWallet'
  | 'noneActive'
  | 'unread'
  | 'stake'
  | 'fees'
  | 'key'
  | 'signer'
  | 'rests'
  | 'other';

/** How every new order is answered, and why. */
export interface OrderRefusal {
  readonly code: ErrorCode;
  readonly why: WhyRefused;
}
