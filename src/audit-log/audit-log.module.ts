import { Module } from '@nestjs/common';
import { AuditEntryRepository } from './audit-entry.repository';
import { AuditLog } from './audit-log';
import { QuarantinesRepository } from './quarantines.repository';

@Module({
  providers: [AuditLog, AuditEntryRepository, QuarantinesRepository],
  exports: [AuditLog, QuarantinesRepository],
})
export class AuditLogModule {}
