import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module';
import { HealthController } from './health.controller';
import { Readiness } from './readiness';

@Module({ imports: [ChainModule], controllers: [HealthController], providers: [Readiness] })
export class HealthModule {}
