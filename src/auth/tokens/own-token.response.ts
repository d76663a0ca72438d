import { ApiProperty } from '@nestjs/swagger';
import type { RawJson } from '../../common/money/json-number';
import { type Permission, PERMISSIONS } from '../../users/permissions';

class OwnTokenData {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  readonly permissions!: readonly Permission[];

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  readonly expires_at!: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'What its orders may cost together in a UTC day, by their list prices; null: no limit',
  })
  readonly daily_limit!: RawJson | null;

  @ApiProperty({ type: Number, description: 'The list prices of its orders of this UTC day, held or charged' })
  readonly used_today!: RawJson;

  @ApiProperty({ type: Number, nullable: true, description: 'What is left of the daily limit; null: no limit' })
  readonly remaining_today!: RawJson | null;

  @ApiProperty({ type: Number, nullable: true, description: 'What each order may cost; null: no limit' })
  readonly max_cost!: RawJson | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'The only addresses it may order for and look up; null: all',
  })
  readonly receivers!: readonly string[] | null;

  @ApiProperty({ type: [String], nullable: true, description: 'The only networks it may be used from; null: all' })
  readonly ips!: readonly string[] | null;

  @ApiProperty({ type: 'integer', description: 'Calls a minute, of all tokens of the account together' })
  readonly rate_limit_per_minute!: number;
}

export class OwnTokenResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: OwnTokenData;
}
