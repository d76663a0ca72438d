import { Module } from '@nestjs/common';
import { AccountRepository } from './account.repository';
import { BalanceController } from './balance.controller';
import { BalanceService } from './balance.service';
import { LedgerRepository } from './ledger.repository';
import { LedgerService } from './ledger.service';

/** Accounts and their append-only ledger. */
@Module({
  controllers: [BalanceController],
  providers: [AccountRepository, BalanceService, LedgerRepository, LedgerService],
  exports: [BalanceService, LedgerService],
})
export class BalanceModule {}
