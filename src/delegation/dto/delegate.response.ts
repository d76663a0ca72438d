import { ApiProperty } from '@nestjs/swagger';
import type { RawJson } from '../../common/money/json-number';

export class DelegateResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty({ enum: ['委托成功'] })
  readonly message!: '委托成功';

  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  readonly txid!: string;

  @ApiProperty({ type: Number, required: false, description: 'Variant B only: native units charged; 0 on failure' })
  readonly cost?: RawJson;
}
