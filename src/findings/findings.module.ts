import { Module } from '@nestjs/common';
import { FindingRepository } from './finding.repository';

/** What must not be, kept until it is gone or an operator has acknowledged it. Orders and reconciliation both report here. */
@Module({ providers: [FindingRepository], exports: [FindingRepository] })
export class FindingsModule {}
