import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module';
import { AuthModule } from '../auth/auth.module';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { type Infrastructure, InfrastructureModule } from '../bootstrap/infrastructure.module';
import { ChainModule } from '../chain/chain.module';
import { DelegationModule } from '../delegation/delegation.module';
import { FindingsModule } from '../findings/findings.module';
import { ReconciliationModule } from '../reconciliation/reconciliation.module';
import { WeakSettingsModule } from '../weak-settings/weak-settings.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AuditCommand } from './audit.command';
import { BalanceCreditCommand, BalanceDebitCommand, BalanceShowCommand } from './balance.commands';
import { ChainAcceptBlockCommand, ChainAcceptBranchCommand } from './chain.commands';
import type { CommandClass } from './cli-command';
import { DelegationListCommand, DelegationShowCommand } from './delegation.commands';
import { DoctorCommand } from './doctor.command';
import { FindingAcknowledgeCommand, FindingListCommand } from './finding.commands';
import { LedgerListCommand } from './ledger.commands';
import { NotifyTestCommand } from './notify.command';
import { PoolForecastCommand, PoolListCommand } from './pool-capacity.commands';
import {
  PoolAddCommand,
  PoolDrainCommand,
  PoolPauseCommand,
  PoolRemoveCommand,
  PoolResumeCommand,
  PoolUpdateCommand,
} from './pool.commands';
import { ReceiptVerifyCommand } from './receipt.commands';
import { ReclaimRunCommand } from './reclaim.commands';
import { ReconcileCommand } from './reconcile.command';
import { RestoreConfirmCommand } from './restore.commands';
import { SubscriptionCreateCommand, SubscriptionEndCommand, SubscriptionListCommand } from './subscription.commands';
import {
  OrdersPauseCommand,
  OrdersResumeCommand,
  OrdersStateCommand,
  ReclaimsPauseCommand,
  ReclaimsResumeCommand,
  ReclaimsStateCommand,
} from './switch.commands';
import { TokenCreateCommand, TokenListCommand, TokenRevokeCommand, TokenUpdateCommand } from './token.commands';
import {
  UserCreateCommand,
  UserDisableCommand,
  UserEnableCommand,
  UserInviteCommand,
  UserListCommand,
  UserResetSecondFactorCommand,
  UserUpdateCommand,
} from './user.commands';
import {
  WebhookAddCommand,
  WebhookDeliveriesCommand,
  WebhookListCommand,
  WebhookRemoveCommand,
  WebhookReplayCommand,
  WebhookRotateCommand,
  WebhookTestCommand,
  WebhookUpdateCommand,
} from './webhook.commands';
import { WitnessesAcceptCommand, WitnessesExportCommand, WitnessesListCommand } from './witness.commands';

/** In the order in which the help lists them. */
export const COMMANDS: readonly CommandClass[] = [
  UserCreateCommand,
  UserUpdateCommand,
  UserDisableCommand,
  UserEnableCommand,
  UserInviteCommand,
  UserResetSecondFactorCommand,
  UserListCommand,
  TokenCreateCommand,
  TokenUpdateCommand,
  TokenListCommand,
  TokenRevokeCommand,
  BalanceCreditCommand,
  BalanceDebitCommand,
  BalanceShowCommand,
  LedgerListCommand,
  SubscriptionCreateCommand,
  SubscriptionEndCommand,
  SubscriptionListCommand,
  WebhookAddCommand,
  WebhookListCommand,
  WebhookUpdateCommand,
  WebhookRotateCommand,
  WebhookTestCommand,
  WebhookDeliveriesCommand,
  WebhookReplayCommand,
  WebhookRemoveCommand,
  PoolAddCommand,
  PoolUpdateCommand,
  PoolRemoveCommand,
  PoolListCommand,
  PoolForecastCommand,
  PoolPauseCommand,
  PoolResumeCommand,
  PoolDrainCommand,
  DelegationListCommand,
  DelegationShowCommand,
  ReclaimRunCommand,
  OrdersPauseCommand,
  OrdersResumeCommand,
  OrdersStateCommand,
  ReclaimsPauseCommand,
  ReclaimsResumeCommand,
  ReclaimsStateCommand,
  RestoreConfirmCommand,
  WitnessesListCommand,
  WitnessesAcceptCommand,
  WitnessesExportCommand,
  ReceiptVerifyCommand,
  ChainAcceptBlockCommand,
  ChainAcceptBranchCommand,
  NotifyTestCommand,
  FindingListCommand,
  FindingAcknowledgeCommand,
  ReconcileCommand,
  AuditCommand,
  DoctorCommand,
];

/** The service's rooms without HTTP and without background work: a command does what it says and ends. */
@Module({
  imports: [
    AuthModule,
    BalanceModule,
    BillingModule,
    ChainModule,
    DelegationModule,
    FindingsModule,
    ReconciliationModule,
    WebhooksModule,
    WeakSettingsModule,
    AdminModule,
  ],
  providers: [...COMMANDS],
})
export class CliModule {
  static with(infrastructure: Infrastructure): DynamicModule {
    return { module: CliModule, imports: [InfrastructureModule.with(infrastructure, false)] };
  }
}
