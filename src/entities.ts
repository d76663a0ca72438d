import { AuditEntry } from './audit-log/audit-entry.entity';
import { Invitation } from './auth/invitations/invitation.entity';
import { KnownNetwork } from './auth/known-networks/known-network.entity';
import { PendingSignInRow } from './auth/pending-sign-ins/pending-sign-in.entity';
import { RecoveryCode } from './auth/second-factors/recovery-code.entity';
import { SecondFactor } from './auth/second-factors/second-factor.entity';
import { SessionSecret } from './auth/sessions/session-secret.entity';
import { Session } from './auth/sessions/session.entity';
import { ApiToken } from './auth/tokens/api-token.entity';
import { TokenDay } from './auth/tokens/token-day.entity';
import { Account } from './balance/account.entity';
import { LedgerEntry } from './balance/ledger-entry.entity';
import { Hold } from './billing/hold.entity';
import { Subscription } from './billing/subscription.entity';
import { ChainFault } from './chain/verified-chain/faults/chain-fault.entity';
import { ChainIdentity } from './chain/tron/node/chain-identity.entity';
import { ChainTransaction } from './chain/transactions/outbox/chain-transaction.entity';
import { ReceiptHeader } from './chain/verified-chain/receipts/receipt-header.entity';
import { ReceiptWitnesses } from './chain/verified-chain/receipts/receipt-witnesses.entity';
import { SwitchRow } from './chain/pool/switches/switch.entity';
import { AcceptedBlock } from './chain/observer/unproved/accepted-block.entity';
import { PoolWallet } from './chain/pool/wallets/pool-wallet.entity';
import { WalletView } from './chain/pool/wallets/wallet-view.entity';
import { WitnessChangeRow } from './chain/verified-chain/witnesses/witness-change.entity';
import { WitnessSetRow } from './chain/verified-chain/witnesses/witness-set.entity';
import { OrderEvent } from './delegation/order-event.entity';
import { WaivedActivation } from './delegation/placing/waived-activation.entity';
import { OrderKey } from './delegation/order-key.entity';
import { Order } from './delegation/order.entity';
import { ComparedPair } from './delegation/reclaim/compared-pair.entity';
import { RefusedAttemptDay } from './reporting/refusals/refused-attempt-day.entity';
import { RefusedAttemptRow } from './reporting/refusals/refused-attempt.entity';
import { ClosedOrderDay } from './reporting/reports/closed-order-day.entity';
import { LateOrder } from './reporting/reports/late-order.entity';
import { OrderDay } from './reporting/reports/order-day.entity';
import { OrderDayTotal } from './reporting/reports/order-day-total.entity';
import { OrderMonth } from './reporting/reports/order-month.entity';
import { Finding } from './findings/finding.entity';
import { NoticeChoice } from './notices/notice-choice.entity';
import { NoticeDelivery } from './notices/notice-delivery.entity';
import { NoticeMark } from './notices/notice-mark.entity';
import { RateLimitWindow } from './rate-limit/rate-limit-window.entity';
import { JobRun } from './reconciliation/job-run.entity';
import { ReconcileMark } from './reconciliation/reconcile-mark.entity';
import { InstanceTerms } from './reconciliation/terms/instance-terms.entity';
import { UnexplainedStake } from './reconciliation/unexplained-stakes/unexplained-stake.entity';
import { WholeCheck } from './reconciliation/whole-check/whole-check.entity';
import { User } from './users/user.entity';
import { WebhookEventBody } from './webhooks/webhook-event-body.entity';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity';
import { Webhook } from './webhooks/webhook.entity';
import { DatabaseIdentityRow } from './database/identity/database-identity.entity';

/** Every table of the service: MikroORM's, for the application, and what `npm run check` compares the schema with. */
export const ENTITIES = [
  User,
  ApiToken,
  TokenDay,
  Account,
  LedgerEntry,
  Subscription,
  Hold,
  PoolWallet,
  WalletView,
  DatabaseIdentityRow,
  ComparedPair,
  ChainIdentity,
  ChainFault,
  WitnessSetRow,
  WitnessChangeRow,
  ChainTransaction,
  AcceptedBlock,
  ReceiptWitnesses,
  ReceiptHeader,
  Order,
  OrderKey,
  WaivedActivation,
  OrderEvent,
  RefusedAttemptDay,
  RefusedAttemptRow,
  OrderDay,
  OrderDayTotal,
  OrderMonth,
  ClosedOrderDay,
  LateOrder,
  RateLimitWindow,
  SwitchRow,
  Finding,
  JobRun,
  ReconcileMark,
  WholeCheck,
  UnexplainedStake,
  InstanceTerms,
  Session,
  SessionSecret,
  PendingSignInRow,
  SecondFactor,
  RecoveryCode,
  Invitation,
  KnownNetwork,
  AuditEntry,
  Webhook,
  WebhookEventBody,
  WebhookDelivery,
  NoticeMark,
  NoticeDelivery,
  NoticeChoice,
];
