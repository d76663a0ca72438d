import { Get } from '@nestjs/common';
import { attentionItems } from '../../notices/attention/attention-items';
import { MorningGlance } from '../../notices/glance/morning-glance';
import { FirstRun } from '../first-run/first-run';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { TodayPage } from './today.page';

@PanelController('operator/today', 'operator')
export class TodayController {
  constructor(
    private readonly glance: MorningGlance,
    private readonly firstRun: FirstRun,
  ) {}

  @Get()
  async show(@ThisVisit() { messages }: UserVisit): Promise<Reply> {
    const glance = await this.glance.read();
    const steps = await this.firstRun.ofOperator(glance.attention.newOrders);
    const items = attentionItems(messages, glance.attention);
    return new Page(messages.glance.title, <TodayPage glance={glance} items={items} steps={steps} />);
  }
}
