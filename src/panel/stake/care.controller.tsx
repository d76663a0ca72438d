import { Body, Get, Param, Post } from '@nestjs/common';
import { StakeAdminService } from '../../admin/stake-admin.service';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { CareRepository } from '../../stake-care/care.repository';
import { type Form, problemOf } from '../http/form';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { confirmationPage } from '../layout/components';
import type { FormProblem } from '../layout/form-problem';
import { hasKeyPlace } from '../wallets/wallet-form';
import { CarePage } from './care.page';
import { readCareChange } from './care-form';
import { lendingWallet } from './stake.controller';
import { stakePath } from './stake-path';

/** How a stake is cared for, and whether it is. */
@PanelController('operator/wallets/:id/stake/care', 'operator')
export class StakeCareController {
  constructor(
    private readonly pool: PoolWallets,
    private readonly cares: CareRepository,
    private readonly admin: StakeAdminService,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    return this.page(visit, await lendingWallet(this.pool, id));
  }

  /** Leads to what the doctor says of the key. */
  @Post()
  @PasswordAgain(hasKeyPlace)
  async set(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    const wallet = await lendingWallet(this.pool, id);
    try {
      const change = readCareChange(form, await this.cares.find(id), visit.messages);
      await this.admin.setCare(operatorOf(visit), wallet.name, change);
      return SeeOther.done(`${stakePath(wallet)}?check=yes`, visit.messages.stake.wasSet);
    } catch (error) {
      return this.page(visit, wallet, form, problemOf(error, visit));
    }
  }

  @Get('off')
  async confirmEnding(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const wallet = await lendingWallet(this.pool, id);
    const messages = visit.messages.stake;
    return confirmationPage({
      title: messages.offConfirmation,
      facts: [[visit.messages.operator.name, wallet.name]],
      text: messages.offText,
      action: `${stakePath(wallet)}/care/off`,
      button: messages.switchOff,
      back: stakePath(wallet),
    });
  }

  @Post('off')
  @PasswordAgain()
  async end(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const wallet = await lendingWallet(this.pool, id);
    return submitAndRedirect(visit, stakePath(wallet), async () => {
      await this.admin.endCare(operatorOf(visit), wallet.name);
      return visit.messages.stake.wasSwitchedOff;
    });
  }

  private async page(visit: UserVisit, wallet: WalletRow, form?: Form, problem?: FormProblem): Promise<Page> {
    const care = await this.cares.find(wallet.id);
    const { setCare, switchOn } = visit.messages.stake;
    const page = <CarePage wallet={wallet} care={care} form={form} problem={problem} />;
    return new Page(care ? setCare : switchOn, page, problem ? 422 : 200);
  }
}
