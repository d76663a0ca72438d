import { Body, Get, Param, Post, Query } from '@nestjs/common';
import type { UserRecord } from '../../users/user.service';
import { BalanceService } from '../../balance/balance.service';
import { SubscriptionMadeBeforeError } from '../../billing/subscription.service';
import { formatTrx } from '../../common/money/sun';
import { OperateMoney } from '../../admin/money-admin.service';
import { carryOut } from '../http/submit-and-redirect';
import { type Form, textOf } from '../http/form';
import { FieldError } from '../http/form-refusal';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { refusalText } from '../messages/refusal-text';
import { Question } from '../layout/confirmation';
import { MoneyQueries } from '../money/money.queries';
import { subscriptionFacts } from '../money/subscription-table';
import { operatorOf } from '../http/operator';
import { MovementQuestionPage } from './movement-confirmation.page';
import { PathUser, userPath } from './user-by-id.pipe';
import { type MovementAsked, readMovement, readSubscription } from './user-form';
import { UserPages } from './user-pages';
import { USER_WORDS } from '../messages/user.messages';

/** A user's page with its money, and what operators do with that. */
@PanelController('operator/users/:id', 'operator')
export class UserMoneyController {
  constructor(
    private readonly pages: UserPages,
    private readonly balances: BalanceService,
    private readonly money: MoneyQueries,
    private readonly operate: OperateMoney,
  ) {}

  @Get()
  show(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord, @Query() query: Form): Promise<Reply> {
    return this.pages.show(visit, user, query);
  }

  /** Twice: first it answers with a question, and moves money when that is answered. */
  @Post('movements')
  async move(@CurrentVisit() visit: SignedInVisit, @PathUser() user: UserRecord, @Body() form: Form): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    const attempt = { of: 'movement', form } as const;
    const step = textOf(form, 'step');
    if (step === 'change') return this.pages.again(visit, user, attempt);
    try {
      const asked = readMovement(form, words);
      if (step !== 'book') return await this.question(visit, user, form, asked);
      const { kind, ...movement } = asked;
      const { repeated, at, balanceSun } = await this.operate.move(operatorOf(visit), user.email, kind, movement);
      const balance = formatTrx(balanceSun);
      return new SeeOther(
        userPath(user),
        repeated
          ? { kind: 'refused', text: words.movedBefore(at, balance) }
          : { kind: 'done', text: words.moved(balance) },
      );
    } catch (error) {
      return this.pages.refused(visit, user, attempt, error);
    }
  }

  @Post('subscriptions')
  async addSubscription(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Body() form: Form,
  ): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    try {
      await this.operate.addSubscription(operatorOf(visit), user.email, readSubscription(form, words));
      return new SeeOther(userPath(user), { kind: 'done', text: words.subscriptionAdded });
    } catch (error) {
      if (error instanceof SubscriptionMadeBeforeError) {
        return new SeeOther(userPath(user), { kind: 'refused', text: refusalText(error, visit.locale) });
      }
      return this.pages.refused(visit, user, { of: 'subscription', form }, error);
    }
  }

  @Get('subscriptions/:subscription/end')
  async confirmEnding(
    @CurrentVisit() visit: SignedInVisit,
    @PathUser() user: UserRecord,
    @Param('subscription') subscriptionId: string,
  ): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    const subscription = await this.money.subscription(user.id, subscriptionId);
    if (!subscription) throw new PanelError('not-found');
    const page = (
      <Question
        visit={visit}
        title={words.endQuestion}
        facts={[[words.email, user.email], ...subscriptionFacts(visit, subscription)]}
        text={words.endText}
        action={`${userPath(user)}/subscriptions/${subscription.id}/end`}
        button={words.end}
        back={userPath(user)}
      />
    );
    return new Page(words.endQuestion, page);
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

  private async question(visit: SignedInVisit, user: UserRecord, form: Form, movement: MovementAsked): Promise<Reply> {
    const words = USER_WORDS[visit.locale];
    const balance = await this.balances.getBalance(user.id);
    if (movement.kind === 'debit' && movement.amountSun > balance.availableSun) {
      throw new FieldError('amount', words.tooLittle(formatTrx(balance.availableSun)));
    }
    const page = <MovementQuestionPage {...{ visit, user, balance, movement, form }} />;
    return new Page(words.moveQuestion[movement.kind], page);
  }
}
