import { Module } from '@nestjs/common';
import { BalanceController } from './balance.controller';
import { BalanceService } from './balance.service';
import { LedgerService } from './ledger.service';

/** Accounts and their append-only ledger. */
@Module({
  controllers: [BalanceController],
  providers: [BalanceService, LedgerService],
  exports: [BalanceService, LedgerService],
})
export class BalanceModule {}
