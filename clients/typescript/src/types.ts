import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

export type DelegateRequest = Schemas['DelegateRequest'];
export type Order = Schemas['Order'];
export type OrderState = Schemas['OrderState'];
export type Balance = Schemas['Balance'];
export type OrderPage = Pick<Schemas['OrderPage'], 'data' | 'next_before'>;
export type OrderFilter = NonNullable<operations['listDelegations']['parameters']['query']>;

/** The answer to an order. Amounts are in TRX. */
export interface Delegated {
  /** For `order()` and `waitFor()`. */
  readonly delegationId: string;
  readonly txid: string;
  /** `accepted`: its block took longer than the service waits, so wait for `included` or `delegated`. */
  readonly state: 'included' | 'accepted';
  /** In variant B of the service: what is charged. */
  readonly cost?: number;
  readonly idempotencyKey: string;
}

/** What is asked of a quote: a size in transactions, or a TRC-20 transfer to be sized, or neither. */
export interface QuoteRequest {
  readonly receiver_address: string;
  /** Transactions, at least 1. */
  readonly amount?: number;
  /** Recipient of the transfer that the receiver of the energy is about to send. */
  readonly to?: string;
  /** Contract of the transfer's token; the network's USDT by itself. */
  readonly token?: string;
  /** Smallest units of the token. */
  readonly value?: string | bigint;
  /** What the receiver has already is taken off. */
  readonly only_missing?: boolean;
}

/** Amounts are in TRX, energy in units, `amount` and `largest_amount` in transactions. */
export interface Quote {
  readonly receiver_address: string;
  readonly activated: boolean;
  readonly contract: boolean;
  readonly energy_available: number;
  readonly energy: number;
  /** What to order: rounded up to thousandths; 0 when nothing is missing. */
  readonly amount: number;
  /** What the order would be charged now, the activation apart. */
  readonly cost: number;
  readonly activation_cost: number;
  /** null: neither would do. */
  readonly paid_by: 'subscription' | 'balance' | null;
  readonly payable: boolean;
  /** One wallet could lend it now. */
  readonly available: boolean;
  readonly largest_amount: number;
  /** What the energy costs when TRX is burned for it instead. */
  readonly burn_cost: number;
  /** Only with `to`. */
  readonly transfer?: { readonly energy: number; readonly penalty: number; readonly succeeds: boolean };
  readonly quoted_at: string;
}
