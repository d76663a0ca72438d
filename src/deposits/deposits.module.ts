import { Module } from '@nestjs/common';
import { BalanceModule } from '../balance/balance.module';
import { ChainModule } from '../chain/chain.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AddressFilter } from './address-filter';
import { CreditByHand } from './credit-by-hand';
import { CreditDeposits } from './credit-deposits';
import { DepositAddresses } from './deposit-addresses';
import { DepositEvents } from './deposit-events';
import { DepositLookup } from './deposit-lookup';
import { DepositProgress } from './deposit-progress';
import { DepositRates } from './deposit-rates';
import { DepositScanner } from './deposit-scanner';
import { DiagnoseMinimum } from './diagnose-minimum';
import { DepositsController } from './deposits.controller';
import { DepositsSchedule } from './deposits.schedule';
import { LeftOutAddresses } from './left-out-addresses';
import { UndoneDeposits } from './undone-deposits';
import { UnexplainedHoldings } from './unexplained-holdings';

/** Money that customers pay to addresses of their own: found in blocks, credited once when they are final. */
@Module({
  imports: [BalanceModule, ChainModule, WebhooksModule],
  controllers: [DepositsController],
  providers: [
    AddressFilter,
    DepositAddresses,
    LeftOutAddresses,
    DepositLookup,
    DepositRates,
    DepositProgress,
    DepositEvents,
    CreditByHand,
    CreditDeposits,
    DepositScanner,
    UndoneDeposits,
    UnexplainedHoldings,
    DiagnoseMinimum,
    DepositsSchedule,
  ],
  exports: [
    DepositAddresses,
    LeftOutAddresses,
    DepositLookup,
    DepositRates,
    DepositProgress,
    DepositEvents,
    CreditByHand,
    CreditDeposits,
    UndoneDeposits,
    UnexplainedHoldings,
    DiagnoseMinimum,
  ],
})
export class DepositsModule {}
