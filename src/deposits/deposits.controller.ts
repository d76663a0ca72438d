import { Controller, Get, Inject, Query } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { DepositSettings } from '../../config/deposits';
import { RequirePermission } from '../auth/access.decorator';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { convert } from '../common/convert';
import { DomainError } from '../common/errors/domain.error';
import { ServiceError } from '../common/errors/service.error';
import { ApiOkResponse } from '../common/http/described';
import { OnlyQueryFields } from '../common/http/query.guard';
import { trxNumber } from '../common/money/json-number';
import { CurrentUser, type RequestUser } from '../users/request-user';
import { DepositAddresses } from './deposit-addresses';
import { DepositLookup } from './deposit-lookup';
import { DepositRates } from './deposit-rates';
import { ASSETS } from './deposit-states';
import { DepositQuery, DepositQueryDto } from './dto/deposit-query.dto';
import { DepositAddressEnvelope, DepositPageEnvelope, DepositResponse } from './dto/deposit.response';

@Controller('api/user')
@RequirePermission('balance')
export class DepositsController {
  constructor(
    private readonly addresses: DepositAddresses,
    private readonly lookup: DepositLookup,
    private readonly rates: DepositRates,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get('deposit-address')
  @OnlyQueryFields()
  @ApiOkResponse({ description: 'Where to pay, and on what terms', type: DepositAddressEnvelope })
  async address(@CurrentUser() user: RequestUser): Promise<DepositAddressEnvelope> {
    const { leastSun, leastUsdt } = this.settings();
    const address = await this.addresses.of(user.id).catch((error: unknown) => {
      // As an order in that state: the service does nothing that rows which are lost may contradict.
      if (error instanceof DomainError && error.code === 'deposit.restored')
        throw new ServiceError('PAUSED', error.message, { cause: error });
      if (!(error instanceof NodeUnavailableError)) throw error;
      throw new ServiceError('NODE_UNAVAILABLE', error.message, { cause: error });
    });
    const rateSun = await this.rates.sunNow();
    const data = {
      address,
      minimum: trxNumber(leastSun),
      minimum_usdt: trxNumber(leastUsdt),
      trx_per_usdt: rateSun === null ? null : trxNumber(rateSun),
      assets: ASSETS,
    };
    return { success: true, data };
  }

  @Get('deposits')
  @OnlyQueryFields(DepositQueryDto)
  @ApiOkResponse({ description: 'A page of deposits, newest first', type: DepositPageEnvelope })
  async list(@CurrentUser() user: RequestUser, @Query() query: DepositQueryDto): Promise<DepositPageEnvelope> {
    this.settings();
    const { state, before, limit } = convert(DepositQuery, query);
    const views = await this.lookup.list({ state, before, limit, userId: user.id });
    return { success: true, data: views.map((view) => convert(DepositResponse, view)) };
  }

  private settings(): DepositSettings {
    const { deposits } = this.configuration;
    if (!deposits) throw new ServiceError('NOT_FOUND');
    return deposits;
  }
}
