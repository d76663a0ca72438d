import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module';
import { FindingRepository } from './finding.repository';
import { WalletRefusals } from './wallet-refusals';

/** What must not be, kept until it is gone or an operator has acknowledged it. Orders and reconciliation both report here. */
@Module({
  imports: [ChainModule],
  providers: [FindingRepository, WalletRefusals],
  exports: [FindingRepository, WalletRefusals],
})
export class FindingsModule {}
