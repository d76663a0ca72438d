import { Expose, Transform } from 'class-transformer';
import { validate as isUuid } from 'uuid';
import { ApiProperty } from '../../common/http/described';
import { Format, Given } from '../../common/validation/laravel-rules';
import { DEPOSIT_STATES, type DepositState } from '../deposit-states';

const DEFAULT_LIMIT = 20;
const MOST = 100;

const isState = (text: string) => (DEPOSIT_STATES as readonly string[]).includes(text);
const isLimit = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST;

/** The query of `GET /api/user/deposits`, as it came. */
export class DepositQueryDto {
  @ApiProperty({ required: false, enum: DEPOSIT_STATES, enumName: 'DepositState' })
  @Given()
  @Format(isState, 'The selected state is invalid.')
  state?: string | null;

  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MOST,
    description: `Deposits in a page, ${DEFAULT_LIMIT} by default`,
  })
  @Given()
  @Format(isLimit, `The limit must be between 1 and ${MOST}.`)
  limit?: string | null;

  @ApiProperty({ type: String, required: false, format: 'uuid', description: 'Id of a deposit: lists only older ones' })
  @Given()
  @Format(isUuid, 'The before must be a deposit id.')
  before?: string | null;
}

/** What it means, once every rule holds. */
export class DepositQuery {
  @Expose()
  readonly state?: DepositState | null;

  @Expose()
  @Transform(({ value }: { value?: string | null }) => Number(value ?? DEFAULT_LIMIT))
  readonly limit!: number;

  @Expose()
  readonly before?: string | null;
}
