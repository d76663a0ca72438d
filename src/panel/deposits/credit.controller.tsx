import { Body, Get, Param, Post } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { DepositAdminService } from '../../admin/deposit-admin.service';
import { checkNote } from '../../balance/movement-values';
import { formatTrx } from '../../common/money/sun';
import { DomainError } from '../../common/errors/domain.error';
import { worthSun } from '../../deposits/decide-deposit';
import { DepositLookup } from '../../deposits/deposit-lookup';
import { DepositRates } from '../../deposits/deposit-rates';
import type { DepositView } from '../../deposits/deposit-view';
import { type Form, FormError, numberOf, problemOf, textOf } from '../http/form';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { existing, PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import type { FormProblem } from '../layout/components';
import { CreditQuestion } from './credit.page';
import { DEPOSITS } from './deposit-path';

/** A deposit that waits or was too small: a question with a note, then the credit. */
@PanelController('operator/deposits/:id/credit', 'operator')
export class CreditDepositController {
  constructor(
    private readonly admin: DepositAdminService,
    private readonly lookup: DepositLookup,
    private readonly rates: DepositRates,
  ) {}

  @Get()
  async ask(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    return this.question(visit, await this.find(visit, id), '');
  }

  /** The second of two clicks finds the deposit credited, and says so; another worth than was shown is asked about again. */
  @Post()
  @PasswordAgain()
  async credit(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.deposit;
    const deposit = await this.find(visit, id);
    const note = textOf(form, 'note');
    const seenSun = numberOf(form, 'worth_sun');
    if (seenSun === null) throw new PanelError('bad-form');
    try {
      if (note === '') throw new FormError(messages.noteNeeded, 'note');
      checkNote(note);
    } catch (error) {
      return this.question(visit, deposit, note, problemOf(error, visit));
    }
    try {
      const credited = await this.admin.credit(operatorOf(visit), deposit.id, note, seenSun);
      return SeeOther.done(DEPOSITS, messages.wasCredited(formatTrx(credited.credited_sun!), credited.user));
    } catch (error) {
      const problem = problemOf(error, visit);
      const isAskedAgain = error instanceof DomainError && error.code === 'deposit.worth-changed';
      return isAskedAgain ? this.question(visit, deposit, note, problem) : SeeOther.refused(DEPOSITS, problem.text);
    }
  }

  /** @throws PanelError not-found */
  private async find({ topUp }: UserVisit, id: string): Promise<DepositView> {
    if (!topUp.deposits || !isUuid(id)) throw new PanelError('not-found');
    return existing((await this.lookup.find([id]))[0]);
  }

  private async question(visit: UserVisit, deposit: DepositView, note: string, problem?: FormProblem): Promise<Page> {
    const sunPerUsdt = await this.rates.sunNow();
    const isWorth = deposit.asset === 'TRX' || sunPerUsdt !== null;
    const worth = isWorth ? worthSun(deposit, sunPerUsdt ?? 0n) : null;
    const page = <CreditQuestion {...{ deposit, worth, sunPerUsdt, note, problem }} />;
    return new Page(visit.messages.deposit.creditTitle, page, problem ? 422 : 200);
  }
}
