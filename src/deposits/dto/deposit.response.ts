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

  @ApiProperty({ ...TXID, nullable: true, description: 'Null: a contract paid it, and an operator has credited it' })
  @Expose()
  readonly txid!: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: "Which of the transaction's transfers" })
  @Expose()
  readonly index!: number | null;

  @ApiProperty({ ...TRON_ADDRESS, description: 'Where it came in' })
  @Expose()
  readonly address!: string;

  @ApiProperty({ enum: ASSETS, enumName: 'DepositAsset' })
  @Expose()
  readonly asset!: Asset;

  @ApiProperty({ ...MONEY, description: 'In units of the asset' })
  @Expose()
  @Transform(({ value }: { value: bigint }) => trxNumber(value))
  readonly amount!: RawJson;

  @ApiProperty({ ...MONEY, nullable: true, description: 'TRX that the balance grew by' })
  @Expose({ name: 'credited_sun' })
  @Transform(orNull)
  readonly credited!: RawJson | null;

  @ApiProperty({ ...MONEY, nullable: true, description: 'TRX for a USDT, as it was when the block was made' })
  @Expose({ name: 'rate_sun' })
  @Transform(orNull)
  readonly rate!: RawJson | null;

  @ApiProperty({ enum: DEPOSIT_STATES, enumName: 'DepositState' })
  @Expose()
  readonly state!: DepositState;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Blocks since, its own among them' })
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
  @ApiProperty({ ...TRON_ADDRESS, description: "The caller's own, for ever" })
  readonly address!: string;

  @ApiProperty({ ...MONEY, description: 'TRX; less is not credited' })
  readonly minimum!: RawJson;

  @ApiProperty({ ...MONEY, description: 'USDT; less is not credited' })
  readonly minimum_usdt!: RawJson;

  @ApiProperty({ ...MONEY, nullable: true, description: 'Null: USDT waits for an operator' })
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
