import { Body, Get, Param, Post } from '@nestjs/common';
import { NoticeAdminService } from '../../admin/notice-admin.service';
import { DomainError } from '../../common/errors/domain.error';
import { CHANNELS, OPERATOR_CHANNELS } from '../../notices/notice-kinds';
import { NoticeService } from '../../notices/notice.service';
import { choicesOf, type Form } from '../http/form';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { NoticePage, NOTICES } from './notice.page';

const SHOWN = 25;

/** Who is told what is wrong, and what was told. */
@PanelController('operator/notices', 'operator')
export class NoticeController {
  constructor(
    private readonly notices: NoticeService,
    private readonly admin: NoticeAdminService,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit): Promise<Reply> {
    const [channels, latest] = await Promise.all([this.notices.channels(), this.notices.latest(SHOWN)]);
    return new Page(visit.messages.notice.title, <NoticePage channels={channels} latest={latest} />);
  }

  @Post(':channel/kinds')
  choose(@ThisVisit() visit: UserVisit, @Param('channel') name: string, @Body() form: Form): Promise<Reply> {
    const channel = existing(CHANNELS.find((one) => one === name));
    return submitAndRedirect(visit, NOTICES, async () => {
      await this.admin.choose(operatorOf(visit), channel, choicesOf(form, 'kinds'));
      return visit.messages.notice.saved;
    });
  }

  @Post(':channel/test')
  async test(@ThisVisit() visit: UserVisit, @Param('channel') name: string): Promise<Reply> {
    const messages = visit.messages.notice;
    const channel = existing(OPERATOR_CHANNELS.find((one) => one === name));
    try {
      const problem = await this.admin.test(operatorOf(visit), channel);
      if (problem === null) return SeeOther.done(NOTICES, messages.taken);
      return SeeOther.refused(NOTICES, messages.notTaken(problem));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return SeeOther.refused(NOTICES, visit.messages.language.refusal(error));
    }
  }
}
