import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { MoneyAdminService } from '../../admin/money-admin.service';
import { BalanceService } from '../../balance/balance.service';
import { SubscriptionListRepository } from '../../billing/subscription-list.repository';
import { DomainError } from '../../common/errors/domain.error';
import { formatTrx } from '../../common/money/sun';
import type { UserRecord } from '../../users/user.service';
import { type Form, FormError, textOf } from '../http/form';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { confirmationPage, shortTrx } from '../layout/components';
import { MoneyPages } from '../money/money-pages';
import { subscriptionFacts } from '../money/subscription-table';
import { MovementConfirmationPage } from './movement.form';
import { withWarnings } from './reference-warnings';
import { tabPath, UserById, userPath } from './user-by-id.pipe';
import { type RequestedMovement, readMovement, readSubscription } from './user-form';
import { UserPages } from './user-pages';

/** The parts of a user's page, and what operators do with the money. */
@PanelController('operator/users/:id', 'operator')
export class UserMoneyController {
  constructor(
    private readonly pages: UserPages,
    private readonly balances: BalanceService,
    private readonly subscriptions: SubscriptionListRepository,
    private readonly admin: MoneyAdminService,
    private readonly money: MoneyPages,
  ) {}

  @Get()
  show(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Query() query: Form): Promise<Reply> {
    return this.pages.show(visit, user, 'usage', query);
  }

  @Get('money')
  showMoney(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Query() query: Form): Promise<Reply> {
    return this.pages.show(visit, user, 'money', query);
  }

  @Get('money/ledger.csv')
  download(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Query() query: Form): Reply {
    return this.money.ledgerFile(visit, user.id, query);
  }

  @Get('subscriptions')
  showSubscriptions(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Query() query: Form): Promise<Reply> {
    return this.pages.show(visit, user, 'subscriptions', query);
  }

  @Get('access')
  showAccess(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord): Promise<Reply> {
    return this.pages.show(visit, user, 'access');
  }

  /** Called twice: the first answer asks for confirmation, and money moves when that is given. */
  @Post('movements')
  @PasswordAgain(books)
  async move(@ThisVisit() visit: UserVisit, @UserById() user: UserRecord, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.user;
    const formState = { of: 'movement', form } as const;
    if (isChange(form)) return this.pages.again(visit, user, formState);
    try {
      const asked = readMovement(form, messages);
      if (!books(form)) return await this.confirmMovement(visit, user, form, asked);
      const { kind, ...movement } = asked;
      const moved = await this.admin.move(operatorOf(visit), user.email, kind, movement);
      const balance = formatTrx(moved.balanceSun);
      const done = moved.repeated
        ? ({ kind: 'refused', text: messages.movedBefore(moved.at, balance) } as const)
        : ({ kind: 'done', text: messages.moved(balance) } as const);
      return new SeeOther(tabPath(user, 'money'), withWarnings(done, moved, messages));
    } catch (error) {
      return this.pages.refused(visit, user, formState, error);
    }
  }

  @Post('subscriptions')
  @PasswordAgain()
  async addSubscription(
    @ThisVisit() visit: UserVisit,
    @UserById() user: UserRecord,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = visit.messages.user;
    try {
      const quota = readSubscription(form, messages);
      const added = await this.admin.addSubscription(operatorOf(visit), user.email, quota);
      const done = { kind: 'done', text: messages.subscriptionAdded } as const;
      return new SeeOther(tabPath(user, 'subscriptions'), withWarnings(done, added, messages));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'subscription.created-before') {
        return SeeOther.refused(tabPath(user, 'subscriptions'), visit.messages.language.refusal(error));
      }
      return this.pages.refused(visit, user, { of: 'subscription', form }, error);
    }
  }

  @Get('subscriptions/:subscription/end')
  async confirmEnding(
    @ThisVisit() visit: UserVisit,
    @UserById() user: UserRecord,
    @Param('subscription') subscriptionId: string,
  ): Promise<Reply> {
    const messages = visit.messages.user;
    const subscription = existing(await this.subscriptions.find(user.id, subscriptionId));
    return confirmationPage({
      title: messages.endConfirmation,
      facts: [[messages.email, user.email], ...subscriptionFacts(visit.messages.money, subscription)],
      text: messages.endText,
      action: `${userPath(user)}/subscriptions/${subscription.id}/end`,
      button: messages.end,
      back: tabPath(user, 'subscriptions'),
    });
  }

  @Post('subscriptions/:subscription/end')
  @PasswordAgain()
  endSubscription(
    @ThisVisit() visit: UserVisit,
    @UserById() user: UserRecord,
    @Param('subscription') subscriptionId: string,
  ): Promise<Reply> {
    return submitAndRedirect(visit, tabPath(user, 'subscriptions'), async () => {
      await this.admin.endSubscription(operatorOf(visit), subscriptionId, user.id);
      return visit.messages.user.subscriptionEnded;
    });
  }

  private async confirmMovement(
    visit: UserVisit,
    user: UserRecord,
    form: Form,
    movement: RequestedMovement,
  ): Promise<Reply> {
    const messages = visit.messages.user;
    const balance = await this.balances.getBalance(user.id);
    if (movement.kind === 'debit' && movement.amountSun > balance.availableSun) {
      const { balanceSun, heldSun } = balance;
      throw new FormError(messages.tooLittle(shortTrx(balanceSun), shortTrx(heldSun), heldSun > 0n), 'amount');
    }
    const page = <MovementConfirmationPage {...{ user, balance, movement, form }} />;
    return new Page(messages.moveConfirmation[movement.kind], page);
  }
}

function isChange(form: Form): boolean {
  return textOf(form, 'change') !== '';
}

function books(form: Form): boolean {
  return textOf(form, 'step') === 'book' && !isChange(form);
}
