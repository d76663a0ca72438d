import { Body, Get, Param, Post, Query } from '@nestjs/common';
import type { UserRecord } from '../../../auth/user.service';
import { BalanceService } from '../../../balance/balance.service';
import { LedgerService } from '../../../balance/ledger.service';
import { formatTrx } from '../../../common/sun';
import { OperateMoney } from '../../../operate/operate-money';
import { carryOut } from '../../http/carry-out';
import { type Form, textOf } from '../../http/form';
import { PanelController } from '../../http/panel-controller.decorator';
import { PanelError } from '../../http/panel-errors';
import { Page, type Reply } from '../../http/reply';
import { CurrentVisit, type SignedInVisit } from '../../http/visit';
import { ledgerPage } from '../../money/ledger-page';
import { MoneyQueries } from '../../money/money.queries';
import { operatorOf } from '../operator';
import { PathUser, userPath } from './path-user';
import { readMovement, readSubscription } from './user-form';
import { UserPage } from './user.page';
import { USER_WORDS } from './user.words';

/** A user's page with its money, and what operators do with that. */
@PanelController('operator/users/:id', 'operator')
export class UserMoneyController {
  constructor(
    private readonly balances: BalanceService,
    private readonly ledger: LedgerService,
    private readonly money: MoneyQueries,
    private readonly operate: OperateMoney,
  ) {}

  @Get()
  async show(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord, @Query() query: Form): Promise<Reply> {
    const [balance, holds, subscriptions, ledger] = await Promise.all([
      this.balances.getBalance(user.id),
      this.money.holds(user.id, textOf(query, 'holds')),
      this.money.subscriptions(user.id, textOf(query, 'subscriptions')),
      ledgerPage(this.ledger, user.id, textOf(query, 'ledger')),
    ]);
    return new Page(user.email, <UserPage {...{ visit, user, balance, holds, subscriptions, ledger }} />);
  }

  @Post('movements')
  move(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord, @Body() form: Form): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    const kind = textOf(form, 'kind');
    if (kind !== 'credit' && kind !== 'debit') throw new PanelError('bad-form');
    return carryOut(visit, userPath(user), async () => {
      const movement = readMovement(form, words);
      const { balanceSun, repeated } = await this.operate.move(operatorOf(visit), user.email, kind, movement);
      const balance = formatTrx(balanceSun);
      return repeated ? words.movedBefore(balance) : words.moved(balance);
    });
  }

  @Post('subscriptions')
  addSubscription(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Body() form: Form,
  ): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    return carryOut(visit, userPath(user), async () => {
      await this.operate.addSubscription(operatorOf(visit), user.email, readSubscription(form, words));
      return words.subscriptionAdded;
    });
  }

  @Post('subscriptions/:subscription/end')
  endSubscription(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Param('subscription') subscriptionId: string,
  ): Promise<Reply> {
    return carryOut(visit, userPath(user), async () => {
      await this.operate.endSubscription(operatorOf(visit), subscriptionId, user.id);
      return USER_WORDS[visit.locale].subscriptionEnded;
    });
  }
}
