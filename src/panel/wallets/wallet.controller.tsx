import { Body, Get, Inject, Post, Query } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { PoolAdminService } from '../../admin/pool-admin.service';
import type { SwitchName } from '../../chain/pool/switches/switch.sql';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { WALLET_STATES } from '../../chain/pool/wallets/pool-wallet.entity';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import type { ListedWalletRow } from '../../chain/pool/wallets/wallet-row';
import { characterCount } from '../../common/text';
import { EnergyOutlook } from '../../reporting/outlooks/energy-outlook';
import { OrderOutlook } from '../../reporting/outlooks/order-outlook';
import { FindingRepository } from '../../findings/finding.repository';
import { type Form, textOf, uuidOf } from '../http/form';
import { operatorOf, ThisVisit, type UserVisit } from '../http/visit';
import { PanelController, PasswordAgain } from '../http/panel-controller.decorator';
import { existing, PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther, submitAndRedirect } from '../http/reply';
import { PauseConfirmation } from '../switches/switch.form';
import { DrainConfirmation } from './wallet-actions';
import { WALLET_CAUSES } from '../../common/wallet-causes';
import { causesOf } from '../../notices/attention/wallet-causes';
import { walletPath, WALLETS_PATH } from './wallet-path';
import { WALLET_SORTS, WalletPage } from './wallet.page';

/** While orders come, the wallets are read as often as this. */
const FRESH_MS = 60_000;

const LONGEST_REASON = 300;

@PanelController('operator/wallets', 'operator')
export class WalletController {
  constructor(
    private readonly pool: PoolWallets,
    private readonly capacity: Capacity,
    private readonly newOrders: OrderOutlook,
    private readonly outlook: EnergyOutlook,
    private readonly findings: FindingRepository,
    private readonly admin: PoolAdminService,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const known = await this.pool.list();
    const fresh = this.capacity.rate !== null && known.every(isFresh);
    const read = fresh || (await this.readChain());
    const [orders, energies, findings] = await Promise.all([
      this.newOrders.now(read),
      this.outlook.ofWallets(),
      this.findings.openByWallet(),
    ]);
    const why = WALLET_CAUSES.find((cause) => cause === textOf(query, 'why')) ?? null;
    const sort = WALLET_SORTS.find((one) => one === textOf(query, 'sort')) ?? null;
    const shown = { sort, energies, stale: !read, orders, causes: causesOf(orders, findings), why };
    return new Page(visit.messages.operator.wallets, <WalletPage {...shown} />);
  }

  @Get('drain')
  async confirmDraining(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const name = textOf(query, 'name');
    const wallet = existing((await this.pool.list()).find((known) => known.name === name));
    return new Page(visit.messages.operator.drainConfirmation, <DrainConfirmation wallet={wallet} />);
  }

  @Post()
  async setState(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    const name = textOf(form, 'name');
    const state = WALLET_STATES.find((known) => known === textOf(form, 'state'));
    if (!state) throw new PanelError('bad-form');
    const from = uuidOf(form, 'from');
    // As a page of before may ask for it.
    if (state === 'active') return new SeeOther(`${WALLETS_PATH}/resume?${new URLSearchParams({ name }).toString()}`);
    return submitAndRedirect(visit, from === null ? WALLETS_PATH : walletPath({ id: from }), async () => {
      await this.admin.setWalletState(operatorOf(visit), name, state);
      return visit.messages.operator.changed(name);
    });
  }

  @Get('orders')
  confirmPausingOrders(@ThisVisit() visit: UserVisit): Reply {
    return this.confirmPausing(visit, 'orders');
  }

  @Post('orders')
  @PasswordAgain()
  setOrders(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    return this.set(visit, 'orders', form);
  }

  @Get('reclaims')
  confirmPausingReclaims(@ThisVisit() visit: UserVisit): Reply {
    return this.confirmPausing(visit, 'reclaims');
  }

  @Post('reclaims')
  @PasswordAgain()
  setReclaims(@ThisVisit() visit: UserVisit, @Body() form: Form): Promise<Reply> {
    return this.set(visit, 'reclaims', form);
  }

  private confirmPausing(visit: UserVisit, name: SwitchName): Reply {
    const isPublic = this.isPublic(name);
    return new Page(visit.messages.switches[name].confirmation, <PauseConfirmation {...{ name, isPublic }} />);
  }

  private isPublic(name: SwitchName): boolean {
    return name === 'orders' && this.configuration.customers.statusPage;
  }

  private async set(visit: UserVisit, name: SwitchName, form: Form): Promise<Reply> {
    const operator = operatorOf(visit);
    const reason = textOf(form, 'reason');
    const { [name]: messages, longReason } = visit.messages.switches;
    if (characterCount(reason) > LONGEST_REASON) {
      const problem = { field: 'reason', text: longReason };
      const refused = <PauseConfirmation isPublic={this.isPublic(name)} {...{ name, reason, problem }} />;
      return new Page(messages.confirmation, refused, 422);
    }
    return submitAndRedirect(visit, WALLETS_PATH, async () => {
      if (textOf(form, name) === 'pause') await this.admin.pause(operator, name, reason || null);
      else await this.admin.resume(operator, name);
      return messages.switched;
    });
  }

  private readChain(): Promise<boolean> {
    return this.capacity.refresh().then(
      () => true,
      () => false,
    );
  }
}

function isFresh({ read_ms_ago: ago }: ListedWalletRow): boolean {
  return ago !== null && ago < FRESH_MS;
}
