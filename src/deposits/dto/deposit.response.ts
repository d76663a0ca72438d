import { Expose, Transform } from 'class-transformer';
import { MONEY, TIME, TRON_ADDRESS, TXID } from '../../common/http/api-formats';
import { ApiProperty, ApiSchema } from '../../common/http/described';
import { type RawJson, trxNumber } from '../../common/money/json-number';
import { type Asset, ASSETS, DEPOSIT_STATES, type DepositState } from '../deposit-states';

const orNull = ({ value }: { value: bigint | null }) => (value === null ? null : trxNumber(value));

/** What a customer sees of a deposit, in answers and webhooks alike. */
@ApiSchema({ name: 'Deposit' })
export class DepositResponse {
  @ApiProperty({ format: 'uuid' })
  @Expose()
  readonly id!: string;

  @ApiProperty({
    ...TXID,
    nullable: true,
    description: 'Transaction of the payment. null: a contract paid, and an operator credited it',
  })
  @Expose()
  readonly txid!: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'Position of the transfer in its transaction',
  })
  @Expose()
  readonly index!: number | null;

  @ApiProperty({ ...TRON_ADDRESS, description: 'Deposit address that received the payment' })
  @Expose()
  readonly address!: string;

  @ApiProperty({ enum: ASSETS, enumName: 'DepositAsset' })
  @Expose()
  readonly asset!: Asset;

  @ApiProperty({ ...MONEY, description: 'Amount in units of the asset' })
  @Expose()
  @Transform(({ value }: { value: bigint }) => trxNumber(value))
  readonly amount!: RawJson;

  @ApiProperty({ ...MONEY, nullable: true, description: 'TRX by which the balance grew' })
  @Expose({ name: 'credited_sun' })
  @Transform(orNull)
  readonly credited!: RawJson | null;

  @ApiProperty({ ...MONEY, nullable: true, description: 'TRX for 1 USDT, as it was when the block was made' })
  @Expose({ name: 'rate_sun' })
  @Transform(orNull)
  readonly rate!: RawJson | null;

  @ApiProperty({ enum: DEPOSIT_STATES, enumName: 'DepositState' })
  @Expose()
  readonly state!: DepositState;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Blocks since the payment, including its own' })
  @Expose()
  readonly confirmations!: number;

  @ApiProperty(TIME)
  @Expose()
  readonly seen_at!: string;

  @ApiProperty({ ...TIME, nullable: true })
  @Expose()
  readonly credited_at!: string | null;
}

@ApiSchema({ name: 'DepositPage' })
export class DepositPageEnvelope {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty({ type: [DepositResponse] })
  readonly data!: DepositResponse[];
}

@ApiSchema({ name: 'DepositAddress' })
class DepositAddressData {
  @ApiProperty({ ...TRON_ADDRESS, description: "The caller's own address, which never changes" })
  readonly address!: string;

  @ApiProperty({ ...MONEY, description: 'Minimum in TRX. A smaller payment is not credited' })
  readonly minimum!: RawJson;

  @ApiProperty({ ...MONEY, description: 'Minimum in USDT. A smaller payment is not credited' })
  readonly minimum_usdt!: RawJson;

  @ApiProperty({ ...MONEY, nullable: true, description: 'Present rate. null: USDT waits for an operator' })
  readonly trx_per_usdt!: RawJson | null;

  @ApiProperty({ enum: ASSETS, enumName: 'DepositAsset', isArray: true })
  readonly assets!: readonly Asset[];
}

@ApiSchema({ name: 'DepositAddressResult' })
export class DepositAddressEnvelope {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: DepositAddressData;
}
