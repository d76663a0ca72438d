import { ApiProperty, ApiSchema } from '../../common/http/described';
import { Expose, Transform } from 'class-transformer';
import { ENERGY, MONEY, TIME, TRANSACTIONS, TRON_ADDRESS, TXID } from '../../common/http/api-formats';
import { type RawJson, trxNumber } from '../../common/money/json-number';
import { type Answer, ANSWERS, type Payer, PAYERS } from '../order.entity';
import { ORDER_STATES, type OrderState } from '../../common/order.states';
import { RENTAL_MINUTES } from './delegate-request.dto';

/** What a caller sees of an order; how the service is run (wallets, stakes, errors) stays inside. */
@ApiSchema({ name: 'Order' })
export class OrderResponse {
  @ApiProperty({ format: 'uuid' })
  @Expose()
  readonly id!: string;

  @ApiProperty({ enum: ORDER_STATES, enumName: 'OrderState' })
  @Expose()
  readonly state!: OrderState;

  @ApiProperty({ enum: ANSWERS, enumName: 'OrderAnswer', description: 'How the order was answered' })
  @Expose()
  readonly answer!: Answer;

  @ApiProperty(TRON_ADDRESS)
  @Expose({ name: 'receiver' })
  readonly receiver_address!: string;

  @ApiProperty({ ...TRANSACTIONS, description: 'Transactions that energy was ordered for' })
  @Expose({ name: 'transactions' })
  @Transform(({ value }: { value: string }) => JSON.rawJSON(value))
  readonly amount!: RawJson;

  @ApiProperty({ ...ENERGY, description: 'Energy that was ordered' })
  @Expose()
  @Transform(({ value }: { value: bigint }) => JSON.rawJSON(value.toString()))
  readonly energy!: RawJson;

  @ApiProperty({ type: 'integer', enum: RENTAL_MINUTES, description: 'Rental time in minutes, as ordered' })
  @Expose({ name: 'rental_minutes' })
  readonly time!: number;

  @ApiProperty({ ...MONEY, description: 'What the order costs. 0 for an order that failed' })
  @Expose({ name: 'cost_sun' })
  @Transform(({ value }: { value: bigint }) => trxNumber(value))
  readonly cost!: RawJson;

  @ApiProperty({ enum: PAYERS, enumName: 'Payer' })
  @Expose()
  readonly paid_by!: Payer;

  @ApiProperty({ ...TXID, nullable: true, description: 'Transaction that delegates the energy' })
  @Expose()
  readonly txid!: string | null;

  @ApiProperty({ ...TXID, nullable: true, description: 'Transaction that activates the receiver, if that was needed' })
  @Expose()
  readonly activation_txid!: string | null;

  @ApiProperty({ ...TXID, nullable: true, description: 'Transaction that takes the energy back' })
  @Expose()
  readonly reclaim_txid!: string | null;

  @ApiProperty({ type: String, nullable: true })
  @Expose()
  readonly idempotency_key!: string | null;

  @ApiProperty(TIME)
  @Expose()
  readonly created_at!: string;

  @ApiProperty({ ...TIME, nullable: true })
  @Expose()
  readonly answered_at!: string | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'Time of the block that has the delegation' })
  @Expose()
  readonly delegated_at!: string | null;

  @ApiProperty({ ...TIME, nullable: true })
  @Expose()
  readonly reclaim_due_at!: string | null;

  @ApiProperty({ ...TIME, nullable: true })
  @Expose()
  readonly reclaimed_at!: string | null;
}

@ApiSchema({ name: 'OrderResult' })
export class OrderEnvelope {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: OrderResponse;
}

@ApiSchema({ name: 'OrderPage' })
export class OrderPageEnvelope {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty({ type: [OrderResponse] })
  readonly data!: readonly OrderResponse[];

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uuid',
    description: '`before` for the next page. null on the last page',
  })
  readonly next_before!: string | null;
}
