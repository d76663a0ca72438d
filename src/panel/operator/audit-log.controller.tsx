import { Get, Query } from '@nestjs/common';
import { AuditLog } from '../../auth/audit-log/audit-log';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/visit';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { AuditLogPage } from './audit-log.page';
import { OPERATOR_WORDS } from './operator.words';

@PanelController('operator/audit-log', 'operator')
export class AuditLogController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const subject = textOf(query, 'subject');
    const after = textOf(query, 'after');
    const before = /^\d{1,18}$/.test(after) ? BigInt(after) : undefined;
    const found = await this.audit.list({ subject, before, limit: PAGE_SIZE + 1 });
    const page = cutPage(found, ({ id }) => id.toString());
    return new Page(
      OPERATOR_WORDS[visit.locale].auditLog,
      <AuditLogPage visit={visit} page={page} subject={subject} />,
    );
  }
}
