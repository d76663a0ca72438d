import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { LONGEST_NOTE } from '../../balance/movement-values';
import { Clock } from '../../common/clock';
import { characterCount } from '../../common/text';
import { WholeCheckStore } from '../../reconciliation/whole-check/whole-check.store';
import { OperateFindings } from '../../admin/finding-admin.service';
import { WholeChecks } from '../../admin/whole-checks';
import { carryOut } from '../http/submit-and-redirect';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError, type PanelErrorKind } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { operatorOf } from '../http/operator';
import { OPERATOR_WORDS } from '../messages/operator.messages';
import { AcknowledgePage } from './acknowledge.page';
import { FindingPage } from './finding.page';
import { FindingQueries, type FindingRow } from './finding.queries';
import { noticeOf } from './whole-check';

/** A check that is over by then has its result in the answer itself. */
const PATIENCE_MS = 2_000;

const LIST = '/panel/operator/findings';

@PanelController('operator/findings', 'operator')
export class FindingController {
  constructor(
    private readonly queries: FindingQueries,
    private readonly checks: WholeChecks,
    private readonly store: WholeCheckStore,
    private readonly clock: Clock,
    private readonly findings: OperateFindings,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const resolvedToo = textOf(query, 'resolved') === 'yes';
    const [page, lastRunAt, check] = await Promise.all([
      this.queries.page(resolvedToo, textOf(query, 'after')),
      this.queries.lastRunAt(),
      this.store.read(),
    ]);
    return new Page(
      OPERATOR_WORDS[visit.locale].findings,
      <FindingPage visit={visit} page={page} resolvedToo={resolvedToo} lastRunAt={lastRunAt} check={check} />,
    );
  }

  /** With all consequences of a run: what is safe is mended, and a wallet that is not explained is paused. */
  @Post()
  async check(@CurrentVisit() visit: SignedInVisit): Promise<Reply> {
    const begun = await this.checks.begin(operatorOf(visit));
    if (!begun) return new SeeOther(LIST, { kind: 'refused', text: OPERATOR_WORDS[visit.locale].checkUnderWay });
    const soon = new AbortController();
    await Promise.race([begun.over, this.clock.sleep(PATIENCE_MS, soon.signal)]);
    soon.abort();
    return new SeeOther(LIST, noticeOf(await this.store.read(), visit));
  }

  @Get(':id/acknowledge')
  async confirmAcknowledging(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string): Promise<Reply> {
    const finding = await this.get(id);
    const page = <AcknowledgePage visit={visit} finding={finding} />;
    return new Page(OPERATOR_WORDS[visit.locale].acknowledgeQuestion, page);
  }

  @Post(':id/acknowledge')
  async acknowledge(@CurrentVisit() visit: SignedInVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    const words = OPERATOR_WORDS[visit.locale];
    const note = textOf(form, 'note');
    const seenSun = numberOf(textOf(form, 'amount_sun'), 'bad-form');
    if (note === '' || characterCount(note) > LONGEST_NOTE) {
      const problem = { text: words.noteNeeded, field: 'note' };
      const page = <AcknowledgePage visit={visit} finding={await this.get(id)} note={note} problem={problem} />;
      return new Page(words.acknowledgeQuestion, page, 422);
    }
    return carryOut(visit, LIST, async () => {
      await this.findings.acknowledge(operatorOf(visit), numberOf(id), { note, seenSun });
      return words.wasAcknowledged;
    });
  }

  private async get(id: string): Promise<FindingRow> {
    const finding = await this.queries.openShortage(numberOf(id));
    if (!finding) throw new PanelError('not-found');
    return finding;
  }
}

function numberOf(text: string, otherwise: PanelErrorKind = 'not-found'): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new PanelError(otherwise);
  return BigInt(text);
}
