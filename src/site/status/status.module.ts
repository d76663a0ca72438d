import { Module } from '@nestjs/common';
import { ReportingModule } from '../../reporting/reporting.module';
import { ServiceStatus } from './service-status';
import { StatusController } from './status.controller';

/** The status page; its routes are there only where `STATUS_PAGE` is on. */
@Module({ imports: [ReportingModule], controllers: [StatusController], providers: [ServiceStatus] })
export class StatusModule {}
