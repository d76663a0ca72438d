import { Module } from '@nestjs/common';
import { FindingStore } from './finding.store';

/** What must not be, kept until it is gone or an operator has acknowledged it. Orders and reconciliation both report here. */
@Module({ providers: [FindingStore], exports: [FindingStore] })
export class FindingsModule {}
