import { Get } from '@nestjs/common';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { attentionItems } from '../../notices/attention/attention-items';
import { OverviewPage } from './overview.page';
import { OverviewService } from './overview.service';

@PanelController('operator', 'operator')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit): Promise<Reply> {
    const overview = await this.overview.read();
    const items = attentionItems(visit.messages, overview);
    return new Page(visit.messages.overview.title, <OverviewPage overview={overview} items={items} />);
  }
}
