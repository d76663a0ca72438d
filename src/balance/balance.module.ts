import { Module } from '@nestjs/common';
import { BalanceService } from './balance.service';
import { LedgerService } from './ledger.service';

/** Accounts and their append-only ledger. */
@Module({
  providers: [BalanceService, LedgerService],
  exports: [BalanceService, LedgerService],
})
export class BalanceModule {}
