import { BigNumber } from 'bignumber.js';
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

/** What the caller asks for, once every rule holds. */
export interface DelegateRequest {
  readonly receiver: string;
  /** At least 1, an exact decimal; Infinity for what is beyond any balance. */
  readonly transactions: BigNumber;
  readonly rentalMinutes: RentalMinutes;
  readonly activate: boolean;
}

/** Beyond every balance that fits the ledger; kept no further, so that an exponent never turns into digits. */
const MOST_TRANSACTIONS = new BigNumber('1e21');

/** The body of `POST /api/chain/delegate-resource`: the contract's fields, and what they mean. */
export class DelegateRequestDto implements DelegateRequest {
  @Required()
  @IsText()
  @Size(34)
  @IsTronAddress()
  receiver_address!: string;

  @Required()
  @IsNumber()
  @AtLeast(1)
  amount!: bigint | number | string;

  @Nullable()
  @IsNumber()
  @OneOf(...RENTAL_MINUTES)
  time?: bigint | number | string | null;

  @Nullable()
  @IsBool()
  activate_address?: boolean | bigint | string | null;

  get receiver(): string {
    return this.receiver_address;
  }

  get transactions(): BigNumber {
    const transactions = toDecimal(typeof this.amount === 'bigint' ? Number(this.amount) : this.amount);
    return transactions.gt(MOST_TRANSACTIONS) ? new BigNumber(Infinity) : transactions;
  }

  get rentalMinutes(): RentalMinutes {
    return isAbsent(this.time) ? 10 : (asCompared(this.time!).toNumber() as RentalMinutes);
  }

  get activate(): boolean {
    const value = this.activate_address;
    return value === true || value === 1n || value === '1';
  }
}
