import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { FindingAdminService } from '../../admin/finding-admin.service';
import { WholeChecks } from '../../admin/whole-checks';
import { LONGEST_NOTE } from '../../balance/movement-values';
import { Clock } from '../../common/clock';
import { characterCount } from '../../common/text';
import { FindingRepository } from '../../findings/finding.repository';
import type { FindingRow } from '../../findings/finding.statements';
import { ReconcileMarkRepository } from '../../reconciliation/reconcile-mark.repository';
import { WholeCheckRepository } from '../../reconciliation/whole-check/whole-check.repository';
import { type Form, numberOf, textOf } from '../http/form';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { existing, PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { AcknowledgePage } from './acknowledge.page';
import { FindingPage } from './finding.page';
import { outcomeOf } from './whole-check';

/** A check that has ended by then has its result in the answer itself. */
const PATIENCE_MS = 2_000;

const LIST = '/panel/operator/findings';

@PanelController('operator/findings', 'operator')
export class FindingController {
  constructor(
    private readonly findings: FindingRepository,
    private readonly marks: ReconcileMarkRepository,
    private readonly checks: WholeChecks,
    private readonly lastCheck: WholeCheckRepository,
    private readonly clock: Clock,
    private readonly admin: FindingAdminService,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const resolvedToo = textOf(query, 'resolved') === 'yes';
    const [rows, succeededAt, check] = await Promise.all([
      this.findings.page(resolvedToo, PAGE_SIZE + 1, numberOf(query, 'after')),
      this.marks.succeededAt(),
      this.lastCheck.read(),
    ]);
    const page = cutPage(rows, ({ id }) => id.toString());
    return new Page(
      visit.messages.operator.findings,
      <FindingPage page={page} resolvedToo={resolvedToo} succeededAt={succeededAt} check={check} />,
    );
  }

  /** With all consequences of a run: what is safe is repaired, and a wallet that is not explained is paused. */
  @Post()
  async check(@ThisVisit() visit: UserVisit): Promise<Reply> {
    const begun = await this.checks.begin(operatorOf(visit));
    if (!begun) return SeeOther.refused(LIST, visit.messages.operator.checkUnderWay);
    await this.clock.waitAtMost(PATIENCE_MS, begun.ended);
    return new SeeOther(LIST, outcomeOf(await this.lastCheck.read(), visit));
  }

  @Get(':id/acknowledge')
  async confirmAcknowledging(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const finding = await this.get(id);
    const page = <AcknowledgePage finding={finding} />;
    return new Page(visit.messages.operator.acknowledgeConfirmation, page);
  }

  /** It ends an alarm, and the pause of a wallet that may have been robbed. */
  @Post(':id/acknowledge')
  @PasswordAgain()
  async acknowledge(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.operator;
    const note = textOf(form, 'note');
    const seenSun = numberOf(form, 'amount_sun');
    if (seenSun === null) throw new PanelError('bad-form');
    if (note === '' || characterCount(note) > LONGEST_NOTE) {
      const problem = { text: messages.noteNeeded, field: 'note' };
      const page = <AcknowledgePage finding={await this.get(id)} note={note} problem={problem} />;
      return new Page(messages.acknowledgeConfirmation, page, 422);
    }
    return submitAndRedirect(visit, LIST, async () => {
      const { kind } = await this.admin.acknowledge(operatorOf(visit), existing(numberOf({ id }, 'id')), {
        note,
        seenSun,
      });
      return kind === 'shortage' ? messages.wasAcknowledged : messages.findingWasAcknowledged;
    });
  }

  private async get(id: string): Promise<FindingRow> {
    return existing(await this.findings.findToAcknowledge(existing(numberOf({ id }, 'id'))));
  }
}
