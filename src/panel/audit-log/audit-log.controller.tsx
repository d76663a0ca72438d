import { Get, Query } from '@nestjs/common';
import type { ActingService } from '../../audit-log/audit-entry.entity';
import { AuditLog, type AuditFilter } from '../../audit-log/audit-log';
import { UserService } from '../../users/user.service';
import { normaliseEmail } from '../../users/user.validation';
import { momentsOf, rangeName, readRange } from '../dates/date-range';
import { rangeProblem } from '../dates/date-range.form';
import { type Form, numberOf, textOf } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Export, Page, type Reply } from '../http/reply';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { CATALOGUES } from '../messages/catalogues';
import { auditCsv } from './audit-log.csv';
import { AuditLogPage } from './audit-log.page';

/** Actors without an id, as they are typed in either language. */
const WITHOUT_ID = new Map<string, WhoFilter>(
  Object.values(CATALOGUES).flatMap(({ operator: { commandLine, services } }): [string, WhoFilter][] => [
    [commandLine, { actorId: null }],
    ...Object.entries(services).map(([service, name]): [string, WhoFilter] => [
      name,
      { service: service as ActingService },
    ]),
  ]),
);

type WhoFilter = Pick<AuditFilter, 'actorId' | 'service'>;

@PanelController('operator/audit-log', 'operator')
export class AuditLogController {
  constructor(
    private readonly auditLog: AuditLog,
    private readonly users: UserService,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const messages = visit.messages.operator;
    const { typed, actor, asked, filter } = await this.readFilter(visit, query);
    const before = numberOf(query, 'after') ?? undefined;
    const found = filter ? await this.auditLog.list({ ...filter, before, limit: PAGE_SIZE + 1 }) : [];
    const page = cutPage(found, ({ id }) => id.toString());
    const problem = actor ? rangeProblem(visit.messages.date, asked) : { field: 'who', text: messages.unknownWho };
    return new Page(messages.auditLog, <AuditLogPage {...{ page, typed, asked, problem }} />);
  }

  /** All that the filter finds. */
  @Get('audit-log.csv')
  async download(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const { asked, filter } = await this.readFilter(visit, query);
    if (!filter) throw new PanelError('not-found');
    return new Export(`audit-log${rangeName(asked)}.csv`, auditCsv(this.auditLog, filter));
  }

  /** `filter` is null where nothing can match: an unknown address, or a range that is none. */
  private async readFilter({ user: reader }: UserVisit, query: Form) {
    const typed = { who: textOf(query, 'who'), subject: textOf(query, 'subject') };
    const actor = await this.actorOf(typed.who);
    const asked = readRange(query, { timeZone: reader.timeZone });
    const filter = actor && !asked.problem ? { ...actor, subject: typed.subject, ...momentsOf(asked) } : null;
    return { typed, actor, asked, filter };
  }

  /** Null when there is nobody with this address. */
  private async actorOf(who: string): Promise<WhoFilter | null> {
    if (who === '') return {};
    const withoutId = WITHOUT_ID.get(who.toLowerCase());
    if (withoutId) return withoutId;
    const user = await this.users.find({ email: normaliseEmail(who) });
    return user && { actorId: user.id };
  }
}
