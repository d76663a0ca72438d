import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MONEY, TIME } from '../common/http/api-formats';
import { OrderResponse } from '../delegation/dto/order.response';
import { DepositResponse } from '../deposits/dto/deposit.response';
import type { DepositEventType, OrderEventType } from '../webhooks/webhook-events';

const WHEN = { ...TIME, description: 'When it became true' } as const;

/** Types that the document lists for it; a new event of orders does not compile without its name here. */
export const ORDER_EVENTS = {
  'delegation.included': 'The delegation is in a block; a fork can still drop it, and then the event may come again',
  'delegation.delegated': 'Final, and charged',
  'delegation.failed': 'It will never be, or was answered with a failure and is being taken back: not charged',
  'delegation.reclaimed': 'The energy is back',
} as const satisfies Readonly<Record<OrderEventType, string>>;

@ApiSchema({ name: 'OrderEvent', description: 'What a webhook gets of an order' })
export class OrderEventSchema {
  @ApiProperty({ enum: Object.keys(ORDER_EVENTS), enumName: 'OrderEventType' })
  readonly type!: OrderEventType;

  @ApiProperty(WHEN)
  readonly timestamp!: string;

  @ApiProperty({ description: 'The order, as it was in the transaction that made the event true' })
  readonly data!: OrderResponse;
}

export const DEPOSIT_EVENTS = {
  'deposit.seen': 'It is in a block; a fork can still drop it, and nothing is credited yet',
  'deposit.credited': 'Final, and credited',
  'deposit.waiting': 'Final, and not credited: it waits for a rate, or for an operator',
} as const satisfies Readonly<Record<DepositEventType, string>>;

@ApiSchema({ name: 'DepositEvent', description: 'What a webhook gets of a deposit' })
export class DepositEventSchema {
  @ApiProperty({ enum: Object.keys(DEPOSIT_EVENTS), enumName: 'DepositEventType' })
  readonly type!: DepositEventType;

  @ApiProperty(WHEN)
  readonly timestamp!: string;

  @ApiProperty({ description: 'The deposit, as it was in the transaction that made the event true' })
  readonly data!: DepositResponse;
}

@ApiSchema({ name: 'LowBalance' })
export class LowBalanceSchema {
  @ApiProperty({ type: Number, description: 'What can be spent; less than 0 where more is held than there is' })
  readonly available!: number;

  @ApiProperty(MONEY)
  readonly threshold!: number;
}

@ApiSchema({ name: 'LowBalanceEvent', description: 'What a webhook gets when the balance is low' })
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

@ApiSchema({ name: 'TestEvent', description: 'What a webhook gets when its user asks for a test' })
export class TestEventSchema {
  @ApiProperty({ type: String, enum: ['webhook.test'] })
  readonly type!: 'webhook.test';

  @ApiProperty(WHEN)
  readonly timestamp!: string;

  @ApiProperty()
  readonly data!: TestedWebhookSchema;
}
