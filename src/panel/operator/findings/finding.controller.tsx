import { Get, Post, Query, Session } from '@nestjs/common';
import type { SessionData } from 'express-session';
import { AuditLog } from '../../../auth/audit-log/audit-log';
import { NodeUnavailableError } from '../../../chain/node/node-errors';
import { Reconciler } from '../../../delegation/reconciler/reconciler';
import { type Form, textOf } from '../../http/form';
import { PanelController } from '../../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../../http/reply';
import { CurrentVisit, type SignedInVisit } from '../../http/visit';
import { operatorOf } from '../operator';
import { OPERATOR_WORDS } from '../operator.words';
import { FindingPage } from './finding.page';
import { FindingQueries } from './finding.queries';

@PanelController('operator/findings', 'operator')
export class FindingController {
  constructor(
    private readonly queries: FindingQueries,
    private readonly reconciler: Reconciler,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const resolvedToo = textOf(query, 'resolved') === 'yes';
    const [page, lastRunAt] = await Promise.all([
      this.queries.page(resolvedToo, textOf(query, 'after')),
      this.queries.lastRunAt(),
    ]);
    return new Page(
      OPERATOR_WORDS[visit.locale].findings,
      <FindingPage visit={visit} page={page} resolvedToo={resolvedToo} lastRunAt={lastRunAt} />,
    );
  }

  /** With all consequences of a run: what is safe is mended, and a wallet that is not explained is paused. */
  @Post()
  async reconcile(@CurrentVisit() visit: SignedInVisit, @Session() session: Partial<SessionData>): Promise<Reply> {
    const words = OPERATOR_WORDS[visit.locale];
    const act = { action: 'reconcile', subject: 'service' };
    try {
      const count = await this.audit.record(operatorOf(visit), act, async () => {
        const { findings, alarms, mended, paused } = await this.reconciler.run('changed');
        const result = findings.length + alarms.length;
        return { result, after: { findings: result, mended, paused } };
      });
      session.notice = { kind: 'done', text: words.wasChecked(count) };
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      session.notice = { kind: 'refused', text: words.unreachable };
    }
    return new SeeOther('/panel/operator/findings');
  }
}
