import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { type PlannedUnfreezing, StakeAdminService } from '../../admin/stake-admin.service';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import type { ListedWalletRow } from '../../chain/pool/wallets/wallet-row';
import { DomainError } from '../../common/errors/domain.error';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { OPERATION_KINDS, type OperationKind, type OperationRow } from '../../stake-care/stake-operation';
import { type Form, FormError, problemOf, textOf } from '../http/form';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { neededFormKey } from '../layout/form-key';
import type { FormProblem } from '../layout/form-problem';
import { readAmount, actIn, takesAmount } from './act-form';
import { ActConfirmation, AmountPage } from './act.page';
import { StakeDetails } from './stake-details';
import { lendingWallet } from './stake.controller';
import { stakePath } from './stake-path';

/** What an operator does with a stake by hand: an amount where there is one, then a question, then the act. */
@PanelController('operator/wallets/:id/stake', 'operator')
export class StakeActController {
  constructor(
    private readonly pool: PoolWallets,
    private readonly details: StakeDetails,
    private readonly admin: StakeAdminService,
  ) {}

  @Get([...OPERATION_KINDS])
  async ask(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    const kind = actIn(visit.url);
    const wallet = await lendingWallet(this.pool, id);
    const isTyped = textOf(query, 'amount') !== '' && textOf(query, 'change') === '';
    if (takesAmount(kind) && !isTyped) return this.amountPage(visit, wallet, kind, query);
    return this.question(visit, wallet, kind, query);
  }

  @Post([...OPERATION_KINDS])
  @PasswordAgain()
  async act(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    const kind = actIn(visit.url);
    const wallet = await lendingWallet(this.pool, id);
    const key = neededFormKey(form);
    try {
      return (await this.begunBy(key, visit, wallet)) ?? (await this.carryOut(visit, wallet, kind, form, key));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'stake.asked-before') {
        const begun = await this.begunBy(key, visit, wallet);
        if (begun) return begun;
      }
      const { nodeRefused } = visit.messages.stake;
      const problem = problemOf(error instanceof NodeUnavailableError ? new FormError(nodeRefused) : error, visit);
      if (takesAmount(kind)) return this.amountPage(visit, wallet, kind, form, problem);
      return this.question(visit, wallet, kind, form, problem);
    }
  }

  /** Where the form led that was sent before: its page may be kept by a browser for longer than the operation takes. */
  private async begunBy(key: string, visit: UserVisit, wallet: ListedWalletRow): Promise<SeeOther | null> {
    const begun = await this.admin.begunBy(key);
    return begun && begun.wallet_id === wallet.id ? outcome(visit, wallet, begun) : null;
  }

  private async carryOut(
    visit: UserVisit,
    wallet: ListedWalletRow,
    kind: OperationKind,
    form: Form,
    key: string,
  ): Promise<SeeOther> {
    const [operator, { name }, messages] = [operatorOf(visit), wallet, visit.messages.stake];
    if (kind === 'unfreeze') {
      const { amountSun, resource } = readAmount(form, messages);
      const planned = await this.admin.unfreeze(operator, name, amountSun, resource, key);
      return outcome(visit, wallet, planned.operation, planned);
    }
    if (kind === 'freeze') {
      const { amountSun, resource } = readAmount(form, messages);
      return outcome(visit, wallet, await this.admin.freeze(operator, name, amountSun, resource, key));
    }
    const acts = {
      vote: () => this.admin.vote(operator, name, key),
      claim: () => this.admin.claim(operator, name, key),
      withdraw: () => this.admin.withdraw(operator, name, key),
      'cancel-unfreeze': () => this.admin.cancelUnfreeze(operator, name, key),
    };
    return outcome(visit, wallet, await acts[kind]());
  }

  private async amountPage(
    visit: UserVisit,
    wallet: ListedWalletRow,
    kind: OperationKind,
    form: Form,
    problem?: FormProblem,
  ): Promise<Page> {
    const details = await this.details.read(wallet);
    const title = visit.messages.stake.questions[kind];
    return new Page(title, <AmountPage {...{ wallet, details, kind, form, problem }} />, problem ? 422 : 200);
  }

  private async question(
    visit: UserVisit,
    wallet: ListedWalletRow,
    kind: OperationKind,
    form: Form,
    problem?: FormProblem,
  ): Promise<Page> {
    try {
      const wanted = takesAmount(kind) ? readAmount(form, visit.messages.stake) : undefined;
      const details = await this.details.read(wallet);
      const page = <ActConfirmation {...{ wallet, details, kind, wanted, problem }} form={problem && form} />;
      return new Page(visit.messages.stake.questions[kind], page, problem ? 422 : 200);
    } catch (error) {
      return this.amountPage(visit, wallet, kind, form, problemOf(error, visit));
    }
  }
}

/** Refused bytes, and those that nothing could sign, have an end that the operator is to see at once. */
function outcome(
  { messages: { stake } }: UserVisit,
  wallet: ListedWalletRow,
  { kind, state, error }: OperationRow,
  unfreezing?: PlannedUnfreezing,
): SeeOther {
  const path = stakePath(wallet);
  const shown = stake.states[state];
  if (error !== null) return SeeOther.refused(path, stake.notDone(stake.names[kind], shown, error));
  if (!unfreezing) return SeeOther.done(path, stake.done(stake.names[kind], shown));
  const { slotsLeft, availableAt } = unfreezing;
  const at = availableAt.toISOString().replace(/\.\d+Z$/, 'Z');
  return SeeOther.done(path, stake.unfreezeDone(shown, Number(slotsLeft), at));
}
