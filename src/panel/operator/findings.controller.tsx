import { Get, Post } from '@nestjs/common';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/visit';
import { FindingsPage } from './findings.page';
import { LatestFindings } from './latest-findings';
import { OPERATOR_WORDS } from './operator.words';

@PanelController('operator/findings', 'operator')
export class FindingsController {
  constructor(private readonly findings: LatestFindings) {}

  @Get()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Reply> {
    const found = await this.findings.read();
    return new Page(OPERATOR_WORDS[visit.locale].findings, <FindingsPage visit={visit} found={found} />);
  }

  /** Changes nothing: it reads again. */
  @Post()
  async checkAgain(): Promise<Reply> {
    await this.findings.check();
    return new SeeOther('/panel/operator/findings');
  }
}
