import { ERROR_ANSWERS } from '../../../common/errors/error-codes';
import { whyRefused } from '../why-refused';
import { plural } from '../../../common/plural';

/** How a new order would be answered now, and what would have to change. */
export const newOrders = {
  taken: 'New orders are being accepted.',
  largest: (transactions: string) => `Largest possible order: ${plural(transactions, 'transaction', 'transactions')}.`,
  refused: (status: number, code: string, why: string) => `New orders are refused with ${status} ${code}: ${why}`,
  why: whyRefused,
  noActivation: `Orders that need an activation are refused with ${ERROR_ANSWERS.ACTIVATION_UNAVAILABLE.status} ACTIVATION_UNAVAILABLE: no activation wallet is usable. It must be active, readable from the chain and not resting, and it needs its key and enough TRX.`,
};
