import { Get } from '@nestjs/common';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { troublesOf } from './attention';
import { OverviewPage } from './overview.page';
import { OverviewService } from './overview.service';

@PanelController('operator', 'operator')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  async show(@CurrentPageContext() pageContext: SignedInPageContext): Promise<Reply> {
    const messages = pageContext.messages.overview;
    const overview = await this.overview.read();
    const troubles = troublesOf(pageContext, overview);
    return new Page(messages.title, <OverviewPage overview={overview} troubles={troubles} />);
  }
}
