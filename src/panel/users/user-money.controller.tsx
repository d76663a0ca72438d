import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { MoneyAdminService } from '../../admin/money-admin.service';
import { BalanceService } from '../../balance/balance.service';
import { SubscriptionListRepository } from '../../billing/subscription-list.repository';
import { DomainError } from '../../common/errors/domain.error';
import { formatTrx } from '../../common/money/sun';
import type { UserRecord } from '../../users/user.service';
import { type Form, textOf } from '../http/form';
import { FormError } from '../http/form-refusal';
import { operatorOf } from '../http/operator';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { PasswordAgain } from '../http/password-again.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { submitAndRedirect } from '../http/submit-and-redirect';
import { confirmationPage, shortTrx } from '../layout/components';
import { LedgerDownloads } from '../money/ledger-downloads';
import { subscriptionFacts } from '../money/subscription-table';
import { MovementConfirmationPage } from './movement-confirmation.page';
import { withWarnings } from './reference.notice';
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
    private readonly downloads: LedgerDownloads,
  ) {}

  @Get()
  show(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Query() query: Form,
  ): Promise<Reply> {
    return this.pages.show(pageContext, user, 'usage', query);
  }

  @Get('money')
  showMoney(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Query() query: Form,
  ): Promise<Reply> {
    return this.pages.show(pageContext, user, 'money', query);
  }

  @Get('money/ledger.csv')
  download(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Query() query: Form,
  ): Reply {
    return this.downloads.file(pageContext, user.id, query);
  }

  @Get('subscriptions')
  showSubscriptions(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Query() query: Form,
  ): Promise<Reply> {
    return this.pages.show(pageContext, user, 'subscriptions', query);
  }

  @Get('access')
  showAccess(@CurrentPageContext() pageContext: SignedInPageContext, @UserById() user: UserRecord): Promise<Reply> {
    return this.pages.show(pageContext, user, 'access');
  }

  /** Called twice: the first answer asks for confirmation, and money moves when that is given. */
  @Post('movements')
  @PasswordAgain(books)
  async move(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = pageContext.messages.user;
    const formState = { of: 'movement', form } as const;
    if (isChange(form)) return this.pages.again(pageContext, user, formState);
    try {
      const asked = readMovement(form, messages);
      if (!books(form)) return await this.confirmMovement(pageContext, user, form, asked);
      const { kind, ...movement } = asked;
      const moved = await this.admin.move(operatorOf(pageContext), user.email, kind, movement);
      const balance = formatTrx(moved.balanceSun);
      const done = moved.repeated
        ? ({ kind: 'refused', text: messages.movedBefore(moved.at, balance) } as const)
        : ({ kind: 'done', text: messages.moved(balance) } as const);
      return new SeeOther(tabPath(user, 'money'), withWarnings(done, moved, messages));
    } catch (error) {
      return this.pages.refused(pageContext, user, formState, error);
    }
  }

  @Post('subscriptions')
  @PasswordAgain()
  async addSubscription(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Body() form: Form,
  ): Promise<Reply> {
    const messages = pageContext.messages.user;
    try {
      const quota = readSubscription(form, messages);
      const added = await this.admin.addSubscription(operatorOf(pageContext), user.email, quota);
      const done = { kind: 'done', text: messages.subscriptionAdded } as const;
      return new SeeOther(tabPath(user, 'subscriptions'), withWarnings(done, added, messages));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'subscription.created-before') {
        return new SeeOther(tabPath(user, 'subscriptions'), {
          kind: 'refused',
          text: pageContext.messages.language.refusal(error),
        });
      }
      return this.pages.refused(pageContext, user, { of: 'subscription', form }, error);
    }
  }

  @Get('subscriptions/:subscription/end')
  async confirmEnding(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Param('subscription') subscriptionId: string,
  ): Promise<Reply> {
    const messages = pageContext.messages.user;
    const subscription = await this.subscriptions.find(user.id, subscriptionId);
    if (!subscription) throw new PanelError('not-found');
    return confirmationPage({
      title: messages.endConfirmation,
      facts: [[messages.email, user.email], ...subscriptionFacts(pageContext.messages.money, subscription)],
      text: messages.endText,
      action: `${userPath(user)}/subscriptions/${subscription.id}/end`,
      button: messages.end,
      back: tabPath(user, 'subscriptions'),
    });
  }

  @Post('subscriptions/:subscription/end')
  @PasswordAgain()
  endSubscription(
    @CurrentPageContext() pageContext: SignedInPageContext,
    @UserById() user: UserRecord,
    @Param('subscription') subscriptionId: string,
  ): Promise<Reply> {
    return submitAndRedirect(pageContext, tabPath(user, 'subscriptions'), async () => {
      await this.admin.endSubscription(operatorOf(pageContext), subscriptionId, user.id);
      return pageContext.messages.user.subscriptionEnded;
    });
  }

  private async confirmMovement(
    pageContext: SignedInPageContext,
    user: UserRecord,
    form: Form,
    movement: RequestedMovement,
  ): Promise<Reply> {
    const messages = pageContext.messages.user;
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
