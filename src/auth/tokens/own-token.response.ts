import { ApiProperty, ApiSchema } from '../../common/http/described';
import { MONEY, TIME, TRON_ADDRESS } from '../../common/http/api-formats';
import type { RawJson } from '../../common/money/json-number';
import { type Permission, PERMISSIONS } from '../../users/permissions';

@ApiSchema({ name: 'Token' })
class OwnTokenData {
  @ApiProperty()
  readonly name!: string;

  // Without a name of its own: Go's generator makes a constant of each value of a named one, and `balance` is a payer's already.
  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  readonly permissions!: readonly Permission[];

  @ApiProperty({ ...TIME, nullable: true, description: 'null: the token never expires' })
  readonly expires_at!: string | null;

  @ApiProperty({
    ...MONEY,
    nullable: true,
    description: 'What orders of the token may cost together in a UTC day, by their list prices. null: no limit',
  })
  readonly daily_limit!: RawJson | null;

  @ApiProperty({ ...MONEY, description: 'List prices of its orders of this UTC day, held or charged' })
  readonly used_today!: RawJson;

  @ApiProperty({ ...MONEY, nullable: true, description: 'The part of the daily limit that is left. null: no limit' })
  readonly remaining_today!: RawJson | null;

  @ApiProperty({ ...MONEY, nullable: true, description: 'What each order may cost. null: no limit' })
  readonly max_cost!: RawJson | null;

  @ApiProperty({
    type: 'array',
    items: { ...TRON_ADDRESS, type: 'string' },
    nullable: true,
    description: 'The only addresses that the token may order for and look up. null: all',
  })
  readonly receivers!: readonly string[] | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'The only networks that the token may be used from. null: all',
  })
  readonly ips!: readonly string[] | null;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Calls a minute that all tokens of the account may make together',
  })
  readonly rate_limit_per_minute!: number;
}

@ApiSchema({ name: 'TokenResult' })
export class OwnTokenResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: OwnTokenData;
}
