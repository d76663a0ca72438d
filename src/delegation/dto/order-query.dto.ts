import { ApiProperty } from '../../common/http/described';
import { Expose, Transform } from 'class-transformer';
import { validate as isUuid } from 'uuid';
import { TRON_ADDRESS } from '../../common/http/api-formats';
import { isStorable } from '../../common/text';
import { Format, Given, Size } from '../../common/validation/laravel-rules';
import { IDEMPOTENCY_KEY_SENTENCE, isIdempotencyKey, keyOfLine } from '../../common/http/idempotency-key';
import { ORDER_STATES, type OrderState } from '../../common/order.states';

const DEFAULT_LIMIT = 20;
const MOST = 100;

const isTxid = (text: string) => /^[0-9a-f]{64}$/i.test(text);
const namesKey = (text: string) => isIdempotencyKey(keyOfLine(text));
const isState = (text: string) => (ORDER_STATES as readonly string[]).includes(text);
const isLimit = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST;

/** The query of `GET /api/chain/delegations`, as it came. */
export class OrderQueryDto {
  @ApiProperty({ type: String, required: false, pattern: '^[0-9a-fA-F]{64}$' })
  @Given()
  @Format(isTxid, 'The txid must be 64 hexadecimal digits.')
  txid?: string | null;

  @ApiProperty({ type: String, required: false, minLength: 1, maxLength: 255, pattern: '^[ -~]{1,255}$' })
  @Given()
  @Format(namesKey, IDEMPOTENCY_KEY_SENTENCE)
  idempotency_key?: string | null;

  @ApiProperty({ required: false, enum: ORDER_STATES, enumName: 'OrderState' })
  @Given()
  @Format(isState, 'The selected state is invalid.')
  state?: string | null;

  @ApiProperty({ ...TRON_ADDRESS, required: false })
  @Given()
  @Size(34)
  @Format(isStorable, 'The receiver address format is invalid.')
  receiver_address?: string | null;

  @ApiProperty({ type: String, required: false, format: 'uuid', description: 'Id of an order: lists only older ones' })
  @Given()
  @Format(isUuid, 'The before must be an order id.')
  before?: string | null;

  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MOST,
    description: `Orders in a page, ${DEFAULT_LIMIT} by default`,
  })
  @Given()
  @Format(isLimit, `The limit must be between 1 and ${MOST}.`)
  limit?: string | null;
}

/** What it means, once every rule holds. */
export class OrderQuery {
  @Expose({ name: 'txid' })
  @Transform(({ value }: { value?: string | null }) => value?.toLowerCase())
  readonly txId?: string;

  @Expose({ name: 'idempotency_key' })
  @Transform(({ value }: { value?: string | null }) => value && keyOfLine(value))
  readonly idempotencyKey?: string | null;

  @Expose()
  readonly state?: OrderState | null;

  @Expose({ name: 'receiver_address' })
  readonly receiver?: string | null;

  @Expose()
  @Transform(({ value }: { value?: string | null }) => Number(value ?? DEFAULT_LIMIT))
  readonly limit!: number;

  @Expose()
  readonly before?: string | null;
}
