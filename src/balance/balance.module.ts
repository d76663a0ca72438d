import { Module } from '@nestjs/common';
import { AccountLanes } from './account-lanes';
import { BalanceController } from './balance.controller';
import { BalanceService } from './balance.service';
import { LedgerService } from './ledger.service';

/** Accounts and their append-only ledger. */
@Module({
  controllers: [BalanceController],
  providers: [AccountLanes, BalanceService, LedgerService],
  exports: [AccountLanes, BalanceService, LedgerService],
})
export class BalanceModule {}
