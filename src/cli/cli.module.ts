import { type DynamicModule, Module } from '@nestjs/common';
import { BalanceModule } from '../balance/balance.module';
import { BillingModule } from '../billing/billing.module';
import { type Surroundings, SurroundingsModule } from '../surroundings.module';
import { BalanceCreditCommand } from './balance-credit.command';
import { BalanceDebitCommand } from './balance-debit.command';
import { BalanceShowCommand } from './balance-show.command';
import { LedgerListCommand } from './ledger-list.command';
import { SubscriptionCreateCommand } from './subscription-create.command';
import { SubscriptionEndCommand } from './subscription-end.command';
import { SubscriptionListCommand } from './subscription-list.command';

/** The service's rooms without HTTP and without background work: a command does what it says and ends. */
@Module({
  imports: [BalanceModule, BillingModule],
  providers: [
    BalanceCreditCommand,
    BalanceDebitCommand,
    BalanceShowCommand,
    LedgerListCommand,
    SubscriptionCreateCommand,
    SubscriptionEndCommand,
    SubscriptionListCommand,
  ],
})
export class CliModule {
  static with(surroundings: Surroundings): DynamicModule {
    return { module: CliModule, imports: [SurroundingsModule.with(surroundings, false)] };
  }
}
