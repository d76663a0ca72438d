import { ApiProperty, ApiSchema } from '../../common/http/described';
import { BigNumber } from 'bignumber.js';
import { Expose, Transform } from 'class-transformer';
import { keptTransactions } from '../../billing/energy-amount';
import { roundToNearestWhole } from '../../billing/rounding';
import { MONEY, TRANSACTIONS, TRON_ADDRESS } from '../../common/http/api-formats';
import { SUN_PER_TRX } from '../../common/money/sun';
import {
  AtLeast,
  IsBool,
  IsNumber,
  IsText,
  IsTronAddress,
  Nullable,
  OneOf,
  Required,
  Size,
} from '../../common/validation/laravel-rules';
import { asCompared, isAbsent, toDecimal } from '../../common/validation/php-values';

export const RENTAL_MINUTES = [10, 1440] as const;
export type RentalMinutes = (typeof RENTAL_MINUTES)[number];

type Numeric = bigint | number | string;

/** Beyond every balance that fits the ledger; kept no further, so that an exponent never turns into digits. */
const MOST_TRANSACTIONS = new BigNumber('1e21');

/** The body of `POST /api/chain/delegate-resource`, as it came. */
@ApiSchema({ name: 'DelegateRequest' })
export class DelegateRequestDto {
  @ApiProperty({ ...TRON_ADDRESS, example: 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb', description: 'Receives the energy' })
  @Required()
  @IsText()
  @Size(34)
  @IsTronAddress()
  receiver_address!: string;

  @ApiProperty({
    ...TRANSACTIONS,
    minimum: 1,
    example: 1,
    description: 'Number of transactions to order energy for. Fractions are allowed. Rounded up at the 40th digit',
  })
  @Required()
  @IsNumber()
  @AtLeast(1)
  amount!: Numeric;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    enum: RENTAL_MINUTES,
    default: 10,
    description: 'Rental time in minutes. It never changes the price, and changes the reclaim only if operators say so',
  })
  @Nullable()
  @IsNumber()
  @OneOf(...RENTAL_MINUTES)
  time?: Numeric | null;

  @ApiProperty({
    type: Boolean,
    required: false,
    nullable: true,
    description: 'Activate a receiver that does not exist on the chain yet, for 1.5 TRX',
  })
  @Nullable()
  @IsBool()
  activate_address?: boolean | bigint | string | null;

  @ApiProperty({
    ...MONEY,
    required: false,
    nullable: true,
    description:
      'Refuses an order that would cost more, activation included, and holds nothing for it. Rounded to the nearest millionth',
  })
  @Nullable()
  @IsNumber()
  @AtLeast(0)
  max_cost?: Numeric | null;
}

/** What it means, once every rule holds. */
export class DelegateRequest {
  /** base58check. */
  @Expose({ name: 'receiver_address' })
  readonly receiver!: string;

  /** At least 1, in 40 digits at most; Infinity for what is beyond any balance. */
  @Expose({ name: 'amount' })
  @Transform(({ value }: { value: Numeric }) => transactionsOf(value))
  readonly transactions!: BigNumber;

  @Expose({ name: 'time' })
  @Transform(({ value }: { value?: Numeric | null }) => (isAbsent(value) ? 10 : asCompared(value!).toNumber()))
  readonly rentalMinutes!: RentalMinutes;

  @Expose({ name: 'activate_address' })
  @Transform(
    ({ value }: { value?: boolean | bigint | string | null }) => value === true || value === 1n || value === '1',
  )
  readonly activate!: boolean;

  /** Costs are whole sun. To the nearest one, for `1.2*3` is 3.5999999999999996 in doubles. Null: whatever it costs. */
  @Expose({ name: 'max_cost' })
  @Transform(({ value }: { value?: Numeric | null }) => (isAbsent(value) ? null : sunOf(value!)))
  readonly maxCostSun!: bigint | null;
}

/** A JSON number is the double that it is read as; a numeric string is exact. */
function decimalOf(value: Numeric): BigNumber {
  return toDecimal(typeof value === 'bigint' ? Number(value) : value);
}

function sunOf(trx: Numeric): bigint {
  return roundToNearestWhole(decimalOf(trx).multipliedBy(Number(SUN_PER_TRX)));
}

function transactionsOf(amount: Numeric): BigNumber {
  const transactions = decimalOf(amount);
  return transactions.gt(MOST_TRANSACTIONS) ? new BigNumber(Infinity) : keptTransactions(transactions);
}
