import { Get, Query } from '@nestjs/common';
import { AuditLog, type AuditFilter } from '../../auth/audit-log/audit-log';
import { UserService } from '../../auth/user.service';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/visit';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { AuditLogPage } from './audit-log.page';
import { OPERATOR_WORDS } from './operator.words';

/** As it is asked for in either language; in the log, whoever works there has no id. */
const COMMAND_LINE = new Set([OPERATOR_WORDS.en.commandLine, OPERATOR_WORDS.zh.commandLine]);

@PanelController('operator/audit-log', 'operator')
export class AuditLogController {
  constructor(
    private readonly audit: AuditLog,
    private readonly users: UserService,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const words = OPERATOR_WORDS[visit.locale];
    const typed = { who: textOf(query, 'who'), subject: textOf(query, 'subject') };
    const after = textOf(query, 'after');
    const before = /^\d{1,18}$/.test(after) ? BigInt(after) : undefined;
    const actor = await this.actorOf(typed.who);
    const filter = { ...actor, subject: typed.subject, before, limit: PAGE_SIZE + 1 };
    const page = cutPage(actor ? await this.audit.list(filter) : [], ({ id }) => id.toString());
    const problem = actor ? undefined : { field: 'who', text: words.unknownWho };
    return new Page(words.auditLog, <AuditLogPage visit={visit} page={page} typed={typed} problem={problem} />);
  }

  /** Null when there is nobody with this address. */
  private async actorOf(who: string): Promise<Pick<AuditFilter, 'actorId'> | null> {
    if (who === '') return {};
    if (COMMAND_LINE.has(who.toLowerCase())) return { actorId: null };
    const user = await this.users.find({ email: who.toLowerCase() });
    return user && { actorId: user.id };
  }
}
