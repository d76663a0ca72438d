import type { components } from './schema.ts';

type Schemas = components['schemas'];

export type DelegateRequest = Schemas['DelegateRequest'];
export type Order = Schemas['Order'];
export type OrderState = Schemas['OrderState'];
export type Balance = Schemas['Balance'];
export type Deposit = Schemas['Deposit'];
export type DepositAddress = Schemas['DepositAddress'];
export interface DepositFilter {
  readonly state?: Deposit['state'];
  /** 1 to 100; 20 by itself. */
  readonly limit?: number;
  /** The id of a deposit: only older ones. */
  readonly before?: string;
}
export type Quote = Schemas['Quote'];
/** As `receipt:verify` takes it: keep it as JSON. */
export type Receipt = Schemas['ReceiptResult'];
export type Token = Schemas['Token'];
export type OrderPage = Pick<Schemas['OrderPage'], 'data' | 'next_before'>;
export type OrderFilter = Schemas['OrderFilter'];

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
