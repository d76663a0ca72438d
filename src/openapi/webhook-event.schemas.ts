import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MONEY, TIME } from '../common/http/api-formats';
import { OrderResponse } from '../delegation/dto/order.response';
import { DepositResponse } from '../deposits/dto/deposit.response';
import type { DepositEventType, OrderEventType } from '../webhooks/webhook-events';

const WHEN = { ...TIME, description: 'When the event happened' } as const;

/** Types that the document lists for it; a new event of orders does not compile without its name here. */
export const ORDER_EVENTS = {
  'delegation.included':
    'The delegation is in a block. A fork can still drop the block, and then the event may come again',
  'delegation.delegated': 'The delegation is final and was charged',
  'delegation.failed':
    'The delegation will never happen, or was answered with a failure and is being taken back. It is not charged',
  'delegation.reclaimed': 'The service has taken the energy back',
} as const satisfies Readonly<Record<OrderEventType, string>>;

@ApiSchema({ name: 'OrderEvent', description: 'Event about an order' })
export class OrderEventSchema {
  @ApiProperty({ enum: Object.keys(ORDER_EVENTS), enumName: 'OrderEventType' })
  readonly type!: OrderEventType;

  @ApiProperty(WHEN)
  readonly timestamp!: string;

  @ApiProperty({ description: 'The order as it was when the event happened' })
  readonly data!: OrderResponse;
}

export const DEPOSIT_EVENTS = {
  'deposit.seen': 'The payment is in a block. A fork can still drop the block, and nothing is credited yet',
  'deposit.credited': 'The payment is final and was credited',
  'deposit.waiting': 'The payment is final but not credited: it waits for a rate or for an operator',
} as const satisfies Readonly<Record<DepositEventType, string>>;

@ApiSchema({ name: 'DepositEvent', description: 'Event about a deposit' })
export class DepositEventSchema {
  @ApiProperty({ enum: Object.keys(DEPOSIT_EVENTS), enumName: 'DepositEventType' })
  readonly type!: DepositEventType;

  @ApiProperty(WHEN)
  readonly timestamp!: string;

  @ApiProperty({ description: 'The deposit as it was when the event happened' })
  readonly data!: DepositResponse;
}

@ApiSchema({ name: 'LowBalance' })
export class LowBalanceSchema {
  @ApiProperty({ type: Number, description: 'What can be spent. Less than 0 if more is held than the account has' })
  readonly available!: number;

  @ApiProperty(MONEY)
  readonly threshold!: number;
}

@ApiSchema({ name: 'LowBalanceEvent', description: 'Event about a low balance' })
export class LowBalanceEventSchema {
  @ApiProperty({ type: String, enum: ['balance.low'] })
  readonly type!: 'balance.low';

  @ApiProperty(WHEN)
  readonly timestamp!: string;

  @ApiProperty()
  readonly data!: LowBalanceSchema;
}

@ApiSchema({ name: 'TestedWebhook' })
export class TestedWebhookSchema {
  @ApiProperty({ format: 'uuid' })
  readonly webhook_id!: string;
}

@ApiSchema({ name: 'TestEvent', description: 'Event of a requested test' })
export class TestEventSchema {
  @ApiProperty({ type: String, enum: ['webhook.test'] })
  readonly type!: 'webhook.test';

  @ApiProperty(WHEN)
  readonly timestamp!: string;

  @ApiProperty()
  readonly data!: TestedWebhookSchema;
}
