import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log';

/** Who did what. */
@Module({ providers: [AuditLog], exports: [AuditLog] })
export class AuditLogModule {}
