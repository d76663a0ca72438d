import { Body, Get, Post, Query } from '@nestjs/common';
import { Capacity } from '../../chain/wallets/capacity';
import { PoolAdmin } from '../../chain/wallets/pool-wallets';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import { WALLET_STATES } from '../../chain/wallets/pool-wallet.entity';
import { NewOrders } from '../../delegation/placing/new-orders';
import { OperatePool } from '../../admin/pool-admin.service';
import { carryOut } from '../http/submit-and-redirect';
import { characterCount } from '../../common/text';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/page-context';
import { operatorOf } from '../http/operator';
import { OPERATOR_WORDS } from '../messages/operator.messages';
import { PauseQuestion } from '../order-switch/order-switch.form';
import { DrainQuestion } from './wallet-actions';
import { WalletPage } from './wallet.page';

/** While the service works, its follower reads the chain more often than this. */
const FRESH_MS = 60_000;

const LONGEST_REASON = 300;

const PATH = '/panel/operator/wallets';

@PanelController('operator/wallets', 'operator')
export class WalletController {
  constructor(
    private readonly pool: PoolAdmin,
    private readonly capacity: Capacity,
    private readonly newOrders: NewOrders,
    private readonly operate: OperatePool,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit): Promise<Reply> {
    const known = await this.pool.list();
    const fresh = this.capacity.rate !== null && known.every(isFresh);
    const read = fresh || (await this.readChain());
    const shown = { rate: this.capacity.rate, stale: !read, orders: await this.newOrders.now(read) };
    return new Page(OPERATOR_WORDS[visit.locale].wallets, <WalletPage visit={visit} {...shown} />);
  }

  @Get('drain')
  async confirmDraining(@CurrentVisit() visit: SignedInVisit, @Query() query: Form): Promise<Reply> {
    const words = OPERATOR_WORDS[visit.locale];
    const name = textOf(query, 'name');
    const wallet = (await this.pool.list()).find((known) => known.name === name);
    if (!wallet) throw new PanelError('not-found');
    return new Page(words.drainQuestion, <DrainQuestion visit={visit} wallet={wallet} />);
  }

  @Post()
  async setState(@CurrentVisit() visit: SignedInVisit, @Body() form: Form): Promise<Reply> {
    const name = textOf(form, 'name');
    const state = WALLET_STATES.find((known) => known === textOf(form, 'state'));
    if (!state) throw new PanelError('bad-form');
    return carryOut(visit, PATH, async () => {
      await this.operate.setWalletState(operatorOf(visit), name, state);
      return OPERATOR_WORDS[visit.locale].changed(name);
    });
  }

  @Get('orders')
  confirmPausing(@CurrentVisit() visit: SignedInVisit): Reply {
    return new Page(OPERATOR_WORDS[visit.locale].pauseQuestion, <PauseQuestion visit={visit} />);
  }

  @Post('orders')
  async setOrders(@CurrentVisit() visit: SignedInVisit, @Body() form: Form): Promise<Reply> {
    const operator = operatorOf(visit);
    const reason = textOf(form, 'reason');
    const words = OPERATOR_WORDS[visit.locale];
    if (characterCount(reason) > LONGEST_REASON) {
      const problem = { field: 'reason', text: words.longReason };
      return new Page(words.pauseQuestion, <PauseQuestion visit={visit} reason={reason} problem={problem} />, 422);
    }
    return carryOut(visit, PATH, async () => {
      if (textOf(form, 'orders') === 'pause') await this.operate.pauseOrders(operator, reason || null);
      else await this.operate.resumeOrders(operator);
      return words.switched;
    });
  }

  private readChain(): Promise<boolean> {
    return this.capacity.refresh().then(
      () => true,
      () => false,
    );
  }
}

function isFresh({ observed_at: at }: WalletRow): boolean {
  return at !== null && Date.now() - at.getTime() < FRESH_MS;
}
