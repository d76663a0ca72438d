import { ApiProperty } from '../../common/http/described';
import { BigNumber } from 'bignumber.js';
import { Expose, Transform } from 'class-transformer';
import { TRANSACTIONS, TRON_ADDRESS } from '../../common/http/api-formats';
import {
  AtLeast,
  Format,
  IsNumber,
  IsText,
  IsTronAddress,
  Nullable,
  Required,
  Size,
} from '../../common/validation/laravel-rules';
import { isAbsent, toDecimal } from '../../common/validation/php-values';

const LARGEST_UINT256 = 2n ** 256n - 1n;
/** Beyond every balance; a quote goes no further, so that an exponent never turns into digits. */
const MOST_TRANSACTIONS = new BigNumber('1e21');

const FLAGS = ['0', '1', 'false', 'true'] as const;
const isFlag = (text: string) => (FLAGS as readonly string[]).includes(text.toLowerCase());
const isTokenAmount = (text: string) => /^\d{1,78}$/.test(text) && BigInt(text) <= LARGEST_UINT256;

/** The query of `GET /api/chain/quote`, as it came. */
export class QuoteQueryDto {
  static readonly isQuestion = true;

  @ApiProperty({ ...TRON_ADDRESS, description: 'Address that receives the energy' })
  @Required()
  @IsText()
  @Size(34)
  @IsTronAddress()
  receiver_address!: string;

  @ApiProperty({
    ...TRANSACTIONS,
    required: false,
    minimum: 1,
    description:
      'Number of transactions to order energy for. Without it, the quote covers the transfer that `to` describes, else 1 transaction',
  })
  @Nullable()
  @IsNumber()
  @AtLeast(1)
  amount?: string | null;

  @ApiProperty({
    ...TRON_ADDRESS,
    required: false,
    description: 'Recipient of a TRC-20 transfer that the receiver will send',
  })
  @Nullable()
  @IsText()
  @Size(34)
  @IsTronAddress()
  to?: string | null;

  @ApiProperty({
    ...TRON_ADDRESS,
    required: false,
    description: "Contract of the transfer's token, by default the network's USDT",
  })
  @Nullable()
  @IsText()
  @Size(34)
  @IsTronAddress()
  token?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    pattern: '^[0-9]{1,78}$',
    description: "Amount of the transfer in the token's smallest units, 1 by default",
  })
  @Nullable()
  @Format(isTokenAmount, 'The value must be an integer.')
  value?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    enum: FLAGS,
    description:
      '1 or true: subtracts the energy that the receiver already has, and adds what it has used above its present limit',
  })
  @Nullable()
  @Format(isFlag, 'The only missing field must be true or false.')
  only_missing?: string | null;
}

/** What it means, once every rule holds. */
export class QuoteQuery {
  @Expose({ name: 'receiver_address' })
  readonly receiver!: string;

  /** At least 1, an exact decimal. */
  @Expose({ name: 'amount' })
  @Transform(({ value }: { value?: string | null }) => (isAbsent(value) ? null : transactionsOf(value!)))
  readonly transactions!: BigNumber | null;

  @Expose({ name: 'to' })
  @Transform(({ value }: { value?: string | null }) => (isAbsent(value) ? null : value))
  readonly recipient!: string | null;

  @Expose()
  @Transform(({ value }: { value?: string | null }) => (isAbsent(value) ? null : value))
  readonly token!: string | null;

  @Expose()
  @Transform(({ value }: { value?: string | null }) => BigInt(isAbsent(value) ? 1 : value!))
  readonly value!: bigint;

  @Expose({ name: 'only_missing' })
  @Transform(({ value }: { value?: string | null }) => ['1', 'true'].includes(value?.toLowerCase() ?? ''))
  readonly onlyMissing!: boolean;
}

function transactionsOf(amount: string): BigNumber {
  return BigNumber.minimum(toDecimal(amount), MOST_TRANSACTIONS);
}
