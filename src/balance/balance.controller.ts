import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse } from '../common/http/described';
import { RequirePermission } from '../auth/access.decorator';
import { trxNumber } from '../common/money/json-number';
import { LimitRate } from '../rate-limit/rate-limit.decorator';
import { CurrentUser, type RequestUser } from '../users/request-user';
import { BalanceResponse } from './balance.response';
import { BalanceService } from './balance.service';

@Controller('api/user')
export class BalanceController {
  constructor(private readonly balances: BalanceService) {}

  @Get('balance')
  @RequirePermission('balance')
  @LimitRate({ name: 'balance', calls: 1, windowMs: 5_000 })
  @ApiOkResponse({ description: 'What the caller can spend', type: BalanceResponse })
  async show(@CurrentUser() user: RequestUser): Promise<BalanceResponse> {
    const { availableSun, updatedAt } = await this.balances.getBalance(user.id);
    return { success: true, data: { balance: trxNumber(availableSun), updated_at: updatedAt } };
  }
}
