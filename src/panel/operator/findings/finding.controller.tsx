import { Get, Post, Query } from '@nestjs/common';
import { NodeUnavailableError } from '../../../chain/node/node-errors';
import { OperateChecks } from '../../../operate/operate-checks';
import { type Form, textOf } from '../../http/form';
import { PanelController } from '../../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../../http/reply';
import { CurrentVisit, type SignedInVisit } from '../../http/visit';
import { operatorOf } from '../operator';
import { OPERATOR_WORDS } from '../operator.words';
import { FindingPage } from './finding.page';
import { FindingQueries } from './finding.queries';

const LIST = '/panel/operator/findings';

@PanelController('operator/findings', 'operator')
export class FindingController {
  constructor(
    private readonly queries: FindingQueries,
    private readonly operate: OperateChecks,
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
  async reconcile(@CurrentVisit() visit: SignedInVisit): Promise<Reply> {
    const words = OPERATOR_WORDS[visit.locale];
    try {
      const { findings, alarms } = await this.operate.reconcile(operatorOf(visit), 'changed');
      return new SeeOther(LIST, { kind: 'done', text: words.wasChecked(findings.length + alarms.length) });
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      return new SeeOther(LIST, { kind: 'refused', text: words.unreachable });
    }
  }
}
