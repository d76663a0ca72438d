import { Get, Query } from '@nestjs/common';
import { RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import { momentsOf, readRange } from '../dates/date-range';
import { type Form, numberOf } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { cutPage, PAGE_SIZE } from '../layout/pager';
import { FailuresPage } from './failures.page';
import { RefusedAttemptPage } from './refused-attempt.page';

/** Before the orders themselves, whose ids stand in the same place of the address. */
@PanelController('orders', 'user')
export class RefusedAttemptController {
  constructor(private readonly refusals: RefusedAttemptRepository) {}

  @Get('refused')
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const { id, timeZone } = visit.user;
    const asked = readRange(query, { timeZone });
    const page = { before: numberOf(query, 'after'), ...momentsOf(asked), limit: PAGE_SIZE + 1 };
    const found = asked.problem ? [] : await this.refusals.list(id, page);
    const shown = cutPage(found, (row) => row.id.toString());
    return new Page(visit.messages.refusal.title, <RefusedAttemptPage asked={asked} page={shown} />);
  }

  @Get('failures')
  explain(@ThisVisit() visit: UserVisit): Reply {
    return new Page(visit.messages.refusal.allTitle, <FailuresPage />);
  }
}
