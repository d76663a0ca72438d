import { Body, Get, Post, Query } from '@nestjs/common';
import { DepositAdminService } from '../../admin/deposit-admin.service';
import { parseTrx } from '../../common/money/sun';
import { CreditByHand } from '../../deposits/credit-by-hand';
import { DepositRates } from '../../deposits/deposit-rates';
import { type Form, FormError, problemOf, textOf } from '../http/form';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { existing, PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import type { FormProblem } from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { DEPOSITS } from './deposit-path';
import { NEWEST_RATE, NO_RATE, RatePage, RateQuestion } from './rate.page';

/** What a USDT counts: a rate is typed, then a question, then it holds. */
@PanelController('operator/deposits/rate', 'operator')
export class DepositRateController {
  constructor(
    private readonly admin: DepositAdminService,
    private readonly rates: DepositRates,
    private readonly credits: CreditByHand,
  ) {}

  @Get()
  async ask(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    existing(visit.topUp.deposits || null);
    const isAsked = textOf(query, 'rate') !== '' || isOff(query);
    if (!isAsked || textOf(query, 'change') !== '') return this.form(visit, query);
    try {
      return await this.question(visit, readRate(query, visit.messages.deposit));
    } catch (error) {
      return this.form(visit, query, problemOf(error, visit));
    }
  }

  @Post()
  @PasswordAgain()
  async set(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    existing(visit.topUp.deposits || null);
    const messages = visit.messages.deposit;
    try {
      const sunPerUsdt = readRate(form, messages);
      await this.admin.setRate(operatorOf(visit), sunPerUsdt, seenIn(form));
      if (sunPerUsdt === null) return SeeOther.done(DEPOSITS, messages.rateTakenBack);
    } catch (error) {
      return this.form(visit, form, problemOf(error, visit));
    }
    return submitAndRedirect(visit, DEPOSITS, async () => {
      if (textOf(form, 'credit_waiting') !== 'yes') return messages.rateSet;
      const { credited, failed } = await this.admin.creditWaiting(operatorOf(visit));
      return messages.rateSetAndCredited(credited, failed);
    });
  }

  private async form(visit: UserVisit, form: Form, problem?: FormProblem): Promise<Page> {
    const page = <RatePage sunNow={await this.rates.sunNow()} form={form} problem={problem} />;
    return new Page(visit.messages.deposit.rateTitle, page, problem ? 422 : 200);
  }

  private async question({ messages: { deposit } }: UserVisit, sunPerUsdt: bigint | null): Promise<Page> {
    const [sunNow, newest, waiting] = await Promise.all([
      this.rates.sunNow(),
      this.rates.newest(),
      this.credits.waitingForRate(),
    ]);
    const title = sunPerUsdt === null ? deposit.rateOffConfirmation : deposit.rateConfirmation;
    return new Page(
      title,
      <RateQuestion {...{ title, sunNow, newest: newest?.sunPerUsdt ?? null, sunPerUsdt, waiting: waiting.length }} />,
    );
  }
}

function isOff(form: Form): boolean {
  return textOf(form, 'off') === 'yes';
}

/** The newest rate when the question was shown; null: none. @throws PanelError bad-form */
function seenIn(form: Form): bigint | null {
  const seen = textOf(form, NEWEST_RATE);
  const sun = parseTrx(seen);
  if (sun === null && seen !== NO_RATE) throw new PanelError('bad-form');
  return sun;
}

/** Null: USDT counts nothing. @throws FormError in the reader's language */
function readRate(form: Form, messages: Messages['deposit']): bigint | null {
  if (isOff(form)) return null;
  const sun = parseTrx(textOf(form, 'rate'));
  if (sun === null || sun === 0n) throw new FormError(messages.badRate, 'rate');
  return sun;
}
