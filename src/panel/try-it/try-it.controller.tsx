import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { PanelAddress } from '../../auth/invitations/panel-address';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { SendOrder } from './send-order';
import { readTrialOrder } from './trial-order';
import { TryItPage } from './try-it.page';
import { TRY_IT_WORDS } from '../messages/try-it.messages';

@PanelController('try-it', 'user')
export class TryItController {
  constructor(
    private readonly sendOrder: SendOrder,
    private readonly address: PanelAddress,
  ) {}

  @Get()
  show(@CurrentVisit() visit: SignedInVisit): Reply {
    return this.page(visit, undefined);
  }

  /** Not a GET: an address with a token in it would stay in the browser's history. */
  @Post()
  @HttpCode(200)
  async try(@CurrentVisit() visit: SignedInVisit, @Body() form: Form): Promise<Reply> {
    if (textOf(form, 'do') !== 'send') return this.page(visit, form);
    const words = TRY_IT_WORDS[visit.locale];
    const token = textOf(form, 'token');
    if (token === '') return this.page(visit, form, { problem: { field: 'token', text: words.tokenNeeded } });
    const answer = await this.sendOrder.send(readTrialOrder(form), token);
    return this.page(visit, form, answer ? { answer } : { problem: { text: words.noAnswer } });
  }

  private page(
    visit: SignedInVisit,
    form: Form | undefined,
    outcome: Pick<Parameters<typeof TryItPage>[0], 'answer' | 'problem'> = {},
  ): Page {
    const order = readTrialOrder(form);
    const page = <TryItPage visit={visit} order={order} baseUrl={this.address.baseUrl()} {...outcome} />;
    return new Page(TRY_IT_WORDS[visit.locale].title, page);
  }
}
