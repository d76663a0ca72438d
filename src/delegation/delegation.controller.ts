import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '../common/http/described';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { Request, Response } from 'express';
import { validate as isUuid } from 'uuid';
import { RequirePermission } from '../auth/access.decorator';
import { convert } from '../common/convert';
import { CrashPoints } from '../common/crash-points';
import { ServiceError } from '../common/errors/service.error';
import { OnlyQueryFields } from '../common/http/query.guard';
import { trxNumber } from '../common/money/json-number';
import { CurrentUser, type RequestUser } from '../users/request-user';
import { DelegateRequest, DelegateRequestDto } from './dto/delegate-request.dto';
import { DelegateResponse } from './dto/delegate.response';
import { OrderQuery, OrderQueryDto } from './dto/order-query.dto';
import { OrderEnvelope, OrderPageEnvelope, OrderResponse } from './dto/order.response';
import { ReceiptEnvelope } from '../chain/verified-chain/receipts/receipt.response';
import { IdempotencyKey } from '../common/http/idempotency-key';
import { OrderLookup, type OrderScope } from './lookup/order-lookup';
import { ReceiptLookup } from './lookup/receipt-lookup';
import { AnswerLostError } from './placing/answer-lost.error';
import { PlaceOrder } from './placing/place-order';

@Controller('api/chain')
@RequirePermission('delegate')
export class DelegationController {
  constructor(
    private readonly placeOrder: PlaceOrder,
    private readonly lookup: OrderLookup,
    private readonly receipts: ReceiptLookup,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly crashPoints: CrashPoints,
  ) {}

  @Post('delegate-resource')
  @HttpCode(200)
  @ApiOkResponse({ description: 'Delegated', type: DelegateResponse })
  async delegate(
    @CurrentUser() user: RequestUser,
    @Body() body: DelegateRequestDto,
    @IdempotencyKey() idempotencyKey: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DelegateResponse> {
    const caller = { userId: user.id, tokenId: user.tokenId, allowedReceivers: user.receivers, idempotencyKey };
    const order = Object.assign(convert(DelegateRequest, body), caller);
    const answer = await this.placeOrder.place(order).catch((error: unknown) => {
      // Nothing was committed as an answer, so nothing is said: a cut connection promises nothing.
      if (error instanceof AnswerLostError) response.destroy();
      throw error;
    });
    await this.crashPoints.beforeAnswer();
    response.setHeader('X-Delegation-Id', answer.delegationId);
    response.setHeader('X-Delegation-State', answer.state);
    const cost = this.configuration.billing.answersCarryCost ? { cost: trxNumber(answer.costSun) } : {};
    return { success: true, message: '委托成功', txid: answer.txId, ...cost };
  }

  @Get('delegations')
  @OnlyQueryFields(OrderQueryDto)
  @ApiOkResponse({ description: 'A page of orders', type: OrderPageEnvelope })
  async list(
    @CurrentUser() user: RequestUser,
    @Query() query: OrderQueryDto,
    @Req() { path }: Request,
  ): Promise<OrderPageEnvelope> {
    // The router takes `delegations/` for this route, and its caller, with an empty id, would take the newest order for its own.
    if (path.endsWith('/')) throw new ServiceError('NOT_FOUND');
    const { limit, ...criteria } = convert(OrderQuery, query);
    // One more than asked for shows whether there is a next page.
    const found = await this.lookup.list({ ...criteria, ...visibleTo(user), limit: limit + 1 });
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1)!.id : null;
    return { success: true, data: page.map((view) => convert(OrderResponse, view)), next_before: next };
  }

  @Get('delegations/:id')
  @OnlyQueryFields()
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiOkResponse({ description: 'The order', type: OrderEnvelope })
  async show(@CurrentUser() user: RequestUser, @Param('id') id: string): Promise<OrderEnvelope> {
    const view = isUuid(id) ? await this.lookup.find(id, visibleTo(user)) : null;
    if (!view) throw new ServiceError('NOT_FOUND');
    return { success: true, data: convert(OrderResponse, view) };
  }

  @Get('delegations/:id/receipt')
  @OnlyQueryFields()
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiOkResponse({ description: 'The receipt', type: ReceiptEnvelope })
  async receipt(@CurrentUser() user: RequestUser, @Param('id') id: string): Promise<ReceiptEnvelope> {
    const data = isUuid(id) ? await this.receipts.find(id, visibleTo(user)) : null;
    if (!data) throw new ServiceError('NOT_FOUND');
    return { success: true, data };
  }
}

/** A user's own orders; of a token for some receivers, those to them alone. */
function visibleTo({ id, receivers }: RequestUser): OrderScope {
  return { userId: id, receivers };
}
