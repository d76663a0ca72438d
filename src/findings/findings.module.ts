import { Module } from '@nestjs/common';
import { FindingRepository } from './finding.repository';
import { OpenFindingsRepository } from './open-findings.repository';

/** What must not be, kept until it is gone or an operator has acknowledged it. Orders and reconciliation both report here. */
@Module({
  providers: [FindingRepository, OpenFindingsRepository],
  exports: [FindingRepository, OpenFindingsRepository],
})
export class FindingsModule {}
