import { Get, Query } from '@nestjs/common';
import { DEPOSIT_STATES } from '../../deposits/deposit-states';
import { DepositLookup } from '../../deposits/deposit-lookup';
import { DepositRates } from '../../deposits/deposit-rates';
import { Sweeps } from '../../deposits/sweeps/sweeps';
import { UnexplainedHoldings } from '../../deposits/unexplained-holdings';
import { UserService } from '../../users/user.service';
import { normaliseEmail } from '../../users/user.validation';
import { type Form, textOf, uuidOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply } from '../http/reply';
import { ThisVisit, type UserVisit } from '../http/visit';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/components';
import type { DepositView } from '../../deposits/deposit-view';
import { BlockExplorer } from '../orders/block-explorer';
import { type DepositFilter, DepositListPage } from './deposit-list.page';

@PanelController('operator/deposits', 'operator')
export class DepositListController {
  constructor(
    private readonly lookup: DepositLookup,
    private readonly rates: DepositRates,
    private readonly holdings: UnexplainedHoldings,
    private readonly sweeps: Sweeps,
    private readonly users: UserService,
    private readonly explorer: BlockExplorer,
  ) {}

  @Get()
  async list(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    existing(visit.topUp.deposits || null);
    const typed = { state: textOf(query, 'state'), user: textOf(query, 'user') };
    const user = typed.user === '' ? null : await this.users.find({ email: normaliseEmail(typed.user) });
    const isUnknown = typed.user !== '' && user === null;
    const filter: DepositFilter = { typed, isUnknown };
    const [page, waiting, rate, sunNow, unexplained, sweeps, explorer] = await Promise.all([
      isUnknown ? { rows: [], next: null } : this.page(typed.state, user?.id ?? null, uuidOf(query, 'after')),
      this.lookup.list({ userId: null, state: 'waiting', limit: PAGE_SIZE }),
      this.rates.newest(),
      this.rates.sunNow(),
      this.holdings.list(),
      this.sweeps.list(PAGE_SIZE),
      this.explorer.transactionUrl(),
    ]);
    const view = { filter, page, waiting, rate, sunNow, unexplained, sweeps, explorer };
    return new Page(visit.messages.deposit.operatorTitle, <DepositListPage view={view} />, isUnknown ? 422 : 200);
  }

  private async page(typed: string, userId: string | null, before: string | null): Promise<PageOf<DepositView>> {
    const state = DEPOSIT_STATES.find((known) => known === typed) ?? null;
    return cutPage(await this.lookup.list({ userId, state, before, limit: PAGE_SIZE + 1 }), ({ id }) => id);
  }
}
