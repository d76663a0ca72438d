import { ApiProperty, ApiSchema } from '../common/http/described';
import { MONEY, TIME } from '../common/http/api-formats';
import type { RawJson } from '../common/money/json-number';

@ApiSchema({ name: 'Balance' })
class BalanceData {
  @ApiProperty({ ...MONEY, description: 'What can be spent: the balance less what open orders hold' })
  readonly balance!: RawJson;

  @ApiProperty({ ...TIME, description: 'When the balance last changed' })
  readonly updated_at!: string;
}

@ApiSchema({ name: 'BalanceResult' })
export class BalanceResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: BalanceData;
}
