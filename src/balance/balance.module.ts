import { Module } from '@nestjs/common';
import { AccountLanes } from './account-lanes';
import { AccountRepository } from './account.repository';
import { BalanceController } from './balance.controller';
import { BalanceService } from './balance.service';
import { LedgerRepository } from './ledger.repository';
import { LedgerService } from './ledger.service';

/** Accounts and their append-only ledger. */
@Module({
  controllers: [BalanceController],
  providers: [AccountLanes, AccountRepository, BalanceService, LedgerRepository, LedgerService],
  exports: [AccountLanes, BalanceService, LedgerService],
})
export class BalanceModule {}
