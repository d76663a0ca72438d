import { Get, Param, Query } from '@nestjs/common';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import type { ListedWalletRow } from '../../chain/pool/wallets/wallet-row';
import { DiagnoseCareKeys } from '../../stake-care/diagnose-care-keys';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply } from '../http/reply';
import { ThisVisit, type UserVisit } from '../http/visit';
import { BlockExplorer } from '../orders/block-explorer';
import { StakeDetails } from './stake-details';
import { StakePage } from './stake.page';

@PanelController('operator/wallets/:id/stake', 'operator')
export class StakeController {
  constructor(
    private readonly pool: PoolWallets,
    private readonly details: StakeDetails,
    private readonly doctor: DiagnoseCareKeys,
    private readonly explorer: BlockExplorer,
  ) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit, @Param('id') id: string, @Query() query: Form): Promise<Reply> {
    const wallet = await lendingWallet(this.pool, id);
    const [details, diagnosis, explorer] = await Promise.all([
      this.details.read(wallet),
      textOf(query, 'check') === 'yes' ? this.doctor.runFor(wallet.name) : null,
      this.explorer.transactionUrl(),
    ]);
    return new Page(
      visit.messages.stake.title(wallet.name),
      <StakePage {...{ wallet, details, diagnosis, explorer }} />,
    );
  }
}

/** One that pays for activations stakes nothing. @throws PanelError not-found */
export async function lendingWallet(pool: PoolWallets, id: string): Promise<ListedWalletRow> {
  return existing((await pool.list()).find((wallet) => wallet.id === id && wallet.role === 'delegate'));
}
