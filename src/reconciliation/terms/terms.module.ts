import { Module } from '@nestjs/common';
import { FindingsModule } from '../../findings/findings.module';
import { ReconciliationModule } from '../reconciliation.module';
import { TermsSchedule } from './terms.schedule';

/** For processes that serve: commands and tests sell nothing by themselves. */
@Module({ imports: [FindingsModule, ReconciliationModule], providers: [TermsSchedule] })
export class TermsModule {}
