import { Module } from '@nestjs/common';
import { AuditEntryRepository } from './audit-entry.repository';
import { AuditLog } from './audit-log';

/** Who did what. */
@Module({ providers: [AuditLog, AuditEntryRepository], exports: [AuditLog] })
export class AuditLogModule {}
