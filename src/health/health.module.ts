import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module';
import { DepositsModule } from '../deposits/deposits.module';
import { DelegationModule } from '../delegation/delegation.module';
import { HealthController } from './health.controller';
import { Readiness } from './readiness';

@Module({
  imports: [ChainModule, DelegationModule, DepositsModule],
  controllers: [HealthController],
  providers: [Readiness],
})
export class HealthModule {}
