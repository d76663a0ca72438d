import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { type RawJson, trxNumber } from '../../common/money/json-number';
import { type Answer, ANSWERS, type Payer, PAYERS } from '../order.entity';
import { ORDER_STATES, type OrderState } from '../order.states';

const TXID = { type: String, nullable: true, pattern: '^[0-9a-f]{64}$' } as const;
const TIME = { type: String, nullable: true, format: 'date-time' } as const;

/** What a caller sees of an order; how the service is run (wallets, stakes, errors) stays inside. */
export class OrderResponse {
  @ApiProperty({ format: 'uuid' })
  @Expose()
  readonly id!: string;

  @ApiProperty({ enum: ORDER_STATES })
  @Expose()
  readonly state!: OrderState;

  @ApiProperty({ enum: ANSWERS })
  @Expose()
  readonly answer!: Answer;

  @ApiProperty()
  @Expose({ name: 'receiver' })
  readonly receiver_address!: string;

  @ApiProperty({ type: Number, description: 'Transactions whose energy was asked for' })
  @Expose({ name: 'transactions' })
  @Transform(({ value }: { value: string }) => JSON.rawJSON(value))
  readonly amount!: RawJson;

  @ApiProperty({ type: Number, description: 'Units of energy' })
  @Expose()
  @Transform(({ value }: { value: bigint }) => JSON.rawJSON(value.toString()))
  readonly energy!: RawJson;

  @ApiProperty({ type: 'integer', description: 'Rental time in minutes, as asked for' })
  @Expose({ name: 'rental_minutes' })
  readonly time!: number;

  @ApiProperty({ type: Number, description: 'What it costs, or cost: 0 for an order that failed' })
  @Expose({ name: 'cost_sun' })
  @Transform(({ value }: { value: bigint }) => trxNumber(value))
  readonly cost!: RawJson;

  @ApiProperty({ enum: PAYERS })
  @Expose()
  readonly paid_by!: Payer;

  @ApiProperty(TXID)
  @Expose()
  readonly txid!: string | null;

  @ApiProperty(TXID)
  @Expose()
  readonly activation_txid!: string | null;

  @ApiProperty(TXID)
  @Expose()
  readonly reclaim_txid!: string | null;

  @ApiProperty({ type: String, nullable: true })
  @Expose()
  readonly idempotency_key!: string | null;

  @ApiProperty({ format: 'date-time' })
  @Expose()
  readonly created_at!: string;

  @ApiProperty(TIME)
  @Expose()
  readonly answered_at!: string | null;

  @ApiProperty(TIME)
  @Expose()
  readonly delegated_at!: string | null;

  @ApiProperty(TIME)
  @Expose()
  readonly reclaim_due_at!: string | null;

  @ApiProperty(TIME)
  @Expose()
  readonly reclaimed_at!: string | null;
}

export class OrderEnvelope {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: OrderResponse;
}

export class OrderPageEnvelope {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty({ type: [OrderResponse] })
  readonly data!: readonly OrderResponse[];

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uuid',
    description: '`before` of the next page; null at the end',
  })
  readonly next_before!: string | null;
}
