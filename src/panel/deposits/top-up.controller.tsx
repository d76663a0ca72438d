import { Get, Inject, Post, Query } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { DomainError } from '../../common/errors/domain.error';
import { DepositAddresses } from '../../deposits/deposit-addresses';
import { DepositLookup } from '../../deposits/deposit-lookup';
import { DepositRates } from '../../deposits/deposit-rates';
import { type Form, uuidOf } from '../http/form';
import { PanelController } from '../http/panel-controller.decorator';
import { existing } from '../http/panel-errors';
import { Page, type Reply, SeeOther } from '../http/reply';
import { ThisVisit, type UserVisit } from '../http/visit';
import { cutPage, PAGE_SIZE } from '../layout/components';
import { TOP_UP } from '../money/top-up-text';
import { BlockExplorer } from '../orders/block-explorer';
import { HowToTopUpPage, TopUpPage } from './top-up.page';

@PanelController('top-up', 'user')
export class TopUpController {
  constructor(
    private readonly addresses: DepositAddresses,
    private readonly lookup: DepositLookup,
    private readonly rates: DepositRates,
    private readonly explorer: BlockExplorer,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Makes no address: a page that a browser opens by itself changes nothing. */
  @Get()
  async show(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const { deposits, customers } = this.configuration;
    if (!deposits) {
      existing(customers.topUpText);
      return new Page(visit.messages.money.topUp, <HowToTopUpPage />);
    }
    const userId = visit.user.id;
    const [address, sunPerUsdt, underWay, found, explorer] = await Promise.all([
      this.addresses.find(userId),
      this.rates.sunNow(),
      this.lookup.list({ userId, state: 'seen', limit: PAGE_SIZE }),
      this.lookup.list({ userId, before: uuidOf(query, 'after'), limit: PAGE_SIZE + 1 }),
      this.explorer.transactionUrl(),
    ]);
    const history = cutPage(found, ({ id }) => id);
    const view = { address, minimum: deposits, sunPerUsdt, underWay, history, explorer };
    return new Page(visit.messages.deposit.title, <TopUpPage view={view} />);
  }

  /** The customer's, made when there is none: two clicks make one. */
  @Post()
  async makeAddress(@ThisVisit() { user, messages }: UserVisit): Promise<Reply> {
    existing(this.configuration.deposits);
    try {
      await this.addresses.of(user.id);
    } catch (error) {
      if (error instanceof NodeUnavailableError) return SeeOther.refused(TOP_UP, messages.deposit.notYet);
      // What the error says is for the operator, who confirms the restore.
      if (error instanceof DomainError && error.code === 'deposit.restored')
        return SeeOther.refused(TOP_UP, messages.deposit.paused);
      throw error;
    }
    return new SeeOther(TOP_UP);
  }
}
