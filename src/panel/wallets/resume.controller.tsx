import { Body, Get, Post, Query } from '@nestjs/common';
import { PoolAdminService } from '../../admin/pool-admin.service';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { MissingError } from '../../common/errors/domain.error';
import { characterCount } from '../../common/text';
import { type Form, FormError, problemOf, textOf, uuidOf } from '../http/form';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import type { FormProblem } from '../layout/form-problem';
import { objectionsTo, ResumeConfirmation, SEEN_SEPARATOR } from './resume.page';
import { WalletDetails } from './wallet-details';
import { walletPath, WALLETS_PATH } from './wallet-path';

const LONGEST_REASON = 300;
const ID = /^\d{1,18}$/;

/** The question before a wallet takes orders again: what speaks against it is on the page, and is looked up once more with the answer. */
@PanelController('operator/wallets/resume', 'operator')
export class ResumeController {
  constructor(
    private readonly pool: PoolWallets,
    private readonly details: WalletDetails,
    private readonly admin: PoolAdminService,
  ) {}

  @Get()
  confirm(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    return this.page(visit, query);
  }

  @Post()
  @PasswordAgain()
  async resume(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.operator;
    const name = textOf(form, 'name');
    const reason = textOf(form, 'reason');
    const from = uuidOf(form, 'from');
    try {
      if (characterCount(reason) > LONGEST_REASON) throw new FormError(messages.resumeReasonLong, 'reason');
      if (reason === '' && (await this.read(name, true)).objections.grave)
        throw new FormError(messages.resumeReasonNeeded, 'reason');
      const seenIds = textOf(form, 'seen')
        .split(SEEN_SEPARATOR)
        .filter((id) => ID.test(id))
        .map(BigInt);
      await this.admin.resumeWallet(operatorOf(visit), name, { reason: reason || null, seenIds });
    } catch (error) {
      return this.page(visit, form, problemOf(error, visit));
    }
    const url = from === null ? WALLETS_PATH : walletPath({ id: from });
    return SeeOther.done(url, messages.changed(name));
  }

  /** `check`: the doctor is waited for, however slow the nodes are: only then is nothing known to speak against it. */
  private async read(name: string, check: boolean) {
    const wallet = (await this.pool.list()).find((known) => known.name === name);
    if (!wallet) throw new MissingError('wallet.not-found', { name });
    const details = await this.details.read(wallet, check);
    return { wallet, details, objections: objectionsTo(details) };
  }

  private async page(visit: UserVisit, form: Form, problem?: FormProblem): Promise<Page> {
    const read = await this.read(textOf(form, 'name'), false);
    const page = (
      <ResumeConfirmation {...read} from={uuidOf(form, 'from')} reason={textOf(form, 'reason')} problem={problem} />
    );
    return new Page(visit.messages.operator.resumeConfirmation, page, problem ? 422 : 200);
  }
}
