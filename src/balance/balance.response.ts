import { ApiProperty } from '@nestjs/swagger';
import type { RawJson } from '../common/money/json-number';

class BalanceData {
  @ApiProperty({ type: Number, description: 'What can be spent: the balance less holds' })
  readonly balance!: RawJson;

  @ApiProperty({ format: 'date-time' })
  readonly updated_at!: string;
}

export class BalanceResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: BalanceData;
}
