import { Body, Get, Post, Session } from '@nestjs/common';
import type { SessionData } from 'express-session';
import { AuditLog } from '../../auth/audit-log/audit-log';
import { Capacity } from '../../chain/pool/capacity';
import { OrderSwitches } from '../../chain/pool/order-switches';
import { PoolAdmin } from '../../chain/pool/pool-admin';
import type { WalletRow } from '../../chain/pool/wallet-row';
import { WALLET_STATES, type WalletState } from '../../chain/pool/pool-wallet.entity';
import { type Form, textOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { PanelError } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { CurrentVisit, type SignedInVisit } from '../http/visit';
import { operatorOf } from './operator';
import { OPERATOR_WORDS } from './operator.words';
import { WalletPage } from './wallet.page';

/** While the service works, its follower reads the chain more often than this. */
const FRESH_MS = 60_000;

@PanelController('operator/wallets', 'operator')
export class WalletController {
  constructor(
    private readonly pool: PoolAdmin,
    private readonly capacity: Capacity,
    private readonly switches: OrderSwitches,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  async list(@CurrentVisit() visit: SignedInVisit): Promise<Reply> {
    const known = await this.pool.list();
    const fresh = this.capacity.rate !== null && known.every(isFresh);
    const read = fresh || (await this.readChain());
    const wallets = fresh ? known : await this.pool.list();
    const shown = { wallets, rate: this.capacity.rate, stale: !read, orders: await this.switches.read() };
    return new Page(OPERATOR_WORDS[visit.locale].wallets, <WalletPage visit={visit} {...shown} />);
  }

  @Post()
  async setState(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: Partial<SessionData>,
    @Body() form: Form,
  ): Promise<Reply> {
    const name = textOf(form, 'name');
    const state = WALLET_STATES.find((known) => known === textOf(form, 'state'));
    const wallet = (await this.pool.list()).find((known) => known.name === name);
    if (!wallet || !state) throw new PanelError('not-found');
    await this.change(visit, name, wallet.state, state);
    session.notice = { kind: 'done', text: OPERATOR_WORDS[visit.locale].changed(name) };
    return new SeeOther('/panel/operator/wallets');
  }

  @Post('orders')
  async setOrders(
    @CurrentVisit() visit: SignedInVisit,
    @Session() session: Partial<SessionData>,
    @Body() form: Form,
  ): Promise<Reply> {
    const pause = textOf(form, 'orders') === 'pause';
    const act = { action: pause ? 'orders.pause' : 'orders.resume', subject: 'service' };
    const before = { ...(await this.switches.read()) };
    await this.audit.record(operatorOf(visit), { ...act, before }, async () => {
      const after = await (pause ? this.switches.pause(textOf(form, 'reason') || null) : this.switches.resume());
      return { result: null, after: { ...after } };
    });
    session.notice = { kind: 'done', text: OPERATOR_WORDS[visit.locale].switched };
    return new SeeOther('/panel/operator/wallets');
  }

  private readChain(): Promise<boolean> {
    return this.capacity.refresh().then(
      () => true,
      () => false,
    );
  }

  private change(visit: SignedInVisit, name: string, before: WalletState, after: WalletState): Promise<unknown> {
    const act = { action: 'wallet.state', subject: `wallet ${name}`, before: { state: before } };
    return this.audit.record(operatorOf(visit), act, async () => {
      const { state } = await this.pool.setState(name, after);
      return { result: null, after: { state } };
    });
  }
}

function isFresh({ observed_at: at }: WalletRow): boolean {
  return at !== null && Date.now() - at.getTime() < FRESH_MS;
}
