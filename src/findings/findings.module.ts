import { Module } from '@nestjs/common';
import { FindingStore } from './finding.store';
import { OpenFindingsRepository } from './open-findings.repository';

/** What must not be, kept until it is gone or an operator has acknowledged it. Orders and reconciliation both report here. */
@Module({ providers: [FindingStore, OpenFindingsRepository], exports: [FindingStore, OpenFindingsRepository] })
export class FindingsModule {}
