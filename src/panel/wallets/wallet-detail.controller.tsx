import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { PoolAdminService } from '../../admin/pool-admin.service';
import { LookAtAccount } from '../../chain/pool/doctor/look-at-account';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import type { ListedWalletRow } from '../../chain/pool/wallets/wallet-row';
import { isAddress } from '../../chain/tron/addresses';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { Clock } from '../../common/clock';
import { DomainError } from '../../common/errors/domain.error';
import { type Form, problemOf, textOf } from '../http/form';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { confirmationPage, type FormProblem, LongId } from '../layout/components';
import type { AccountLook } from './account-look';
import { NewWalletPage } from './new-wallet.page';
import { WalletDetailPage } from './wallet-detail.page';
import { WalletDetails } from './wallet-details';
import { hasKeyPlace, readKeyChange, readNewWallet } from './wallet-form';
import { walletPath, WALLETS_PATH } from './wallet-path';

/** A page waits no longer for a node. */
const PATIENCE_MS = 2_000;

@PanelController('operator/wallets', 'operator')
export class WalletDetailController {
  constructor(
    private readonly pool: PoolWallets,
    private readonly details: WalletDetails,
    private readonly capacity: Capacity,
    private readonly admin: PoolAdminService,
    private readonly accounts: LookAtAccount,
    private readonly clock: Clock,
  ) {}

  @Get('new')
  showForm(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    return this.newPage(visit, textOf(query, 'address'));
  }

  /** Leads to what the doctor says of it. */
  @Post('new')
  @PasswordAgain(hasKeyPlace)
  async add(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.wallet;
    try {
      const wallet = readNewWallet(form, messages);
      await this.admin.addWallet(operatorOf(visit), wallet);
      const added = (await this.pool.list()).find(({ name }) => name === wallet.name);
      const url = added ? `${walletPath(added)}?check=yes` : WALLETS_PATH;
      return SeeOther.done(url, messages.wasAdded);
    } catch (error) {
      return this.newPage(visit, textOf(form, 'address'), { form, problem: problemOf(error, visit) });
    }
  }

  @Get(':id')
  async show(@Param('id') id: string, @Query() query: Form): Promise<Reply> {
    return this.page(await this.findRead(id), { check: textOf(query, 'check') === 'yes' });
  }

  @Post(':id')
  @PasswordAgain(hasKeyPlace)
  async update(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Body() form: Form): Promise<Reply> {
    const messages = visit.messages.wallet;
    const wallet = await this.find(id);
    try {
      await this.admin.updateWallet(operatorOf(visit), wallet.name, readKeyChange(form, messages));
      return SeeOther.done(`${walletPath(wallet)}?check=yes`, messages.wasUpdated);
    } catch (error) {
      const problem = problemOf(error, visit);
      return this.page(wallet, { check: false, form, problem });
    }
  }

  @Get(':id/remove')
  async confirmRemoving(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const messages = visit.messages.wallet;
    const wallet = await this.find(id);
    return confirmationPage({
      title: messages.removeConfirmation,
      facts: [
        [messages.name, wallet.name],
        [messages.address, <LongId key="address" value={wallet.address} whole />],
      ],
      text: messages.removeText,
      action: `${walletPath(wallet)}/remove`,
      button: messages.remove,
      back: walletPath(wallet),
    });
  }

  /** Refused while anything of it is out. */
  @Post(':id/remove')
  @PasswordAgain()
  async remove(@ThisVisit() visit: UserVisit, @Param('id') id: string): Promise<Reply> {
    const { name } = await this.find(id);
    return submitAndRedirect(visit, WALLETS_PATH, async () => {
      await this.admin.removeWallet(operatorOf(visit), name);
      return visit.messages.wallet.wasRemoved(name);
    });
  }

  private async newPage(
    visit: UserVisit,
    address: string,
    refused: { readonly form?: Form; readonly problem?: FormProblem } = {},
  ): Promise<Page> {
    const isWrong = address !== '' && !isAddress(address);
    const problem = isWrong
      ? problemOf(new DomainError('wallet.address-invalid', { address }), visit)
      : refused.problem;
    const account = address === '' || isWrong ? undefined : await this.look(address);
    const shown = { ...refused, address, account, problem, masks: this.accounts.masks() };
    return new Page(visit.messages.wallet.newWallet, <NewWalletPage {...shown} />, problem ? 422 : 200);
  }

  private async look(address: string): Promise<AccountLook> {
    let found: AccountLook = 'unread';
    const asked = this.accounts.look(address).then(
      (account) => void (found = account),
      (error: unknown) => {
        if (!(error instanceof NodeUnavailableError)) throw error;
      },
    );
    await this.clock.waitAtMost(PATIENCE_MS, asked);
    // After the page nothing waits for it.
    asked.catch(() => undefined);
    return found;
  }

  private async find(id: string): Promise<ListedWalletRow> {
    return existing((await this.pool.list()).find((known) => known.id === id));
  }

  /** One that was added just now is read first, so that its page does not begin with zeros. */
  private async findRead(id: string): Promise<ListedWalletRow> {
    const wallet = await this.find(id);
    if (wallet.observed_at !== null) return wallet;
    await this.capacity.refresh().catch(() => undefined);
    return this.find(id);
  }

  private async page(
    wallet: ListedWalletRow,
    { check, ...answer }: { readonly check: boolean; readonly form?: Form; readonly problem?: FormProblem },
  ): Promise<Page> {
    const details = await this.details.read(wallet, check);
    return new Page(
      wallet.name,
      <WalletDetailPage wallet={wallet} details={details} asked={check} {...answer} />,
      answer.problem ? 422 : 200,
    );
  }
}
