import { Body, Param, Post, Session } from '@nestjs/common';
import type { SessionData } from 'express-session';
import { formatTrx } from '../../../common/sun';
import { type Form, textOf } from '../../http/form';
import { PanelController } from '../../http/panel-controller.decorator';
import { PanelError } from '../../http/panel-errors';
import type { Reply } from '../../http/reply';
import { CurrentVisit, type SignedInVisit } from '../../http/visit';
import { MoneyQueries } from '../../money/money.queries';
import { OperateMoney } from './operate-money';
import { readMovement, readSubscription } from './user-form';
import { UserPages } from './user-pages';
import { USER_WORDS } from './user.words';

type PanelSession = Partial<SessionData>;

@PanelController('operator/users/:id', 'operator')
export class UserMoneyController {
  constructor(
    private readonly pages: UserPages,
    private readonly money: MoneyQueries,
    private readonly operate: OperateMoney,
  ) {}

  @Post('movements')
  async move(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Param('id') id: string,
    @Body() form: Form,
  ): Promise<Reply> {
    const user = await this.pages.get(id);
    const words = USER_WORDS[visit.locale];
    const kind = textOf(form, 'kind');
    if (kind !== 'credit' && kind !== 'debit') throw new PanelError('bad-form');
    return this.pages.carryOut(visit, session, user, async () => {
      const balanceSun = await this.operate.move(visit, user, kind, readMovement(form, words));
      return words.moved(formatTrx(balanceSun));
    });
  }

  @Post('subscriptions')
  async addSubscription(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Param('id') id: string,
    @Body() form: Form,
  ): Promise<Reply> {
    const user = await this.pages.get(id);
    const words = USER_WORDS[visit.locale];
    return this.pages.carryOut(visit, session, user, async () => {
      await this.operate.addSubscription(visit, user, readSubscription(form, words));
      return words.subscriptionAdded;
    });
  }

  @Post('subscriptions/:subscription/end')
  async endSubscription(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: PanelSession,
    @Param('id') id: string,
    @Param('subscription') subscriptionId: string,
  ): Promise<Reply> {
    const user = await this.pages.get(id);
    const row = await this.money.findSubscription(user.id, subscriptionId);
    if (!row) throw new PanelError('not-found');
    return this.pages.carryOut(visit, session, user, async () => {
      await this.operate.endSubscription(visit, user, row);
      return USER_WORDS[visit.locale].subscriptionEnded;
    });
  }
}
