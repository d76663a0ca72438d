import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { isAllowed } from '../../auth/tokens/allowed-networks';
import { TokenLookup } from '../../auth/tokens/token-lookup';
import { PanelAddress } from '../../common/http/panel-address';
import { type Form, textOf } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { SendOrder } from './send-order';
import { readTrialOrder } from './trial-order';
import { TryItPage } from './try-it.page';

@PanelController('try-it', 'user')
export class TryItController {
  constructor(
    private readonly sendOrder: SendOrder,
    private readonly tokens: TokenLookup,
    private readonly address: PanelAddress,
  ) {}

  @Get()
  show(@ThisVisit() visit: UserVisit): Reply {
    return this.page(visit, undefined);
  }

  /** Not a GET: a URL with a token in it would stay in the browser's history. */
  @Post()
  @HttpCode(200)
  async try(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    if (textOf(form, 'do') !== 'send') return this.page(visit, form);
    const messages = visit.messages.tryIt;
    // Characters that no token has would break the header; what is looked at is what is sent.
    const token = textOf(form, 'token').replace(/[^\w-]/g, '');
    if (token === '') return this.page(visit, form, { problem: { field: 'token', text: messages.tokenNeeded } });
    if (!(await this.mayUse(token, visit.address))) {
      return this.page(visit, form, { problem: { field: 'token', text: messages.tokenElsewhere } });
    }
    const answer = await this.sendOrder.send(readTrialOrder(form), token);
    return this.page(visit, form, answer ? { answer } : { problem: { text: messages.noAnswer } });
  }

  /** The order comes from this machine, which a token may name: what counts is where its bearer is. */
  private async mayUse(token: string, address: string): Promise<boolean> {
    const bearer = await this.tokens.findUser(token);
    return !bearer?.ips || isAllowed(bearer.ips, address);
  }

  private page(
    visit: UserVisit,
    form: Form | undefined,
    outcome: Pick<Parameters<typeof TryItPage>[0], 'answer' | 'problem'> = {},
  ): Page {
    const order = readTrialOrder(form);
    const page = <TryItPage order={order} baseUrl={this.address.baseUrl()} {...outcome} />;
    return new Page(visit.messages.tryIt.title, page);
  }
}
