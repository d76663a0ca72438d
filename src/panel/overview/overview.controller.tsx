import { Get } from '@nestjs/common';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { troublesOf } from './attention';
import { OverviewPage } from './overview.page';
import { OverviewQueries } from './overview.queries';
import { OVERVIEW_WORDS } from '../messages/overview.messages';

@PanelController('operator', 'operator')
export class OverviewController {
  constructor(private readonly queries: OverviewQueries) {}

  @Get()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Reply> {
    const words = OVERVIEW_WORDS[visit.locale];
    const overview = await this.queries.read();
    const troubles = troublesOf(visit, overview);
    return new Page(words.title, <OverviewPage visit={visit} overview={overview} troubles={troubles} />);
  }
}
