export { type CallOptions, type DelegateOptions, EnergyClient, type WaitOptions } from './client.ts';
export { DepositTimeoutError, EnergyError, NoAnswerError, OrderStateError, WaitTimeoutError } from './errors.ts';
export type { HttpOptions as EnergyClientOptions } from './http.ts';
export { ReceiptError, verifyReceipt } from './receipt/verify-receipt.mjs';
export type { components } from './schema.ts';
export type {
  Balance,
  Delegated,
  DelegateRequest,
  Deposit,
  DepositAddress,
  DepositFilter,
  Order,
  OrderFilter,
  OrderPage,
  OrderState,
  Quote,
  QuoteRequest,
  Receipt,
  Token,
} from './types.ts';
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookHeaders, type WebhookOptions } from './webhook.ts';
